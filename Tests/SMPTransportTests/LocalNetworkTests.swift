import NIOCore
import Testing

@testable import SMPTransport

/// Which addresses are this machine's or a private network's, in whatever form.
@Suite(.timeLimit(.minutes(5))) struct LocalNetworkTests {
    @Test(
        arguments: [
            // IPv4 mapped, translated and compatible.
            "::ffff:10.0.0.1", "::ffff:0:192.168.1.1", "::192.168.1.1", "::7f00:1",
            // Translators of everybody and of a network itself.
            "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::1", "64:ff9b:1:7f00:0:100::",
            // 6to4, Teredo with a private server or client, ISATAP.
            "2002:7f00:1::", "2002:c0a8:101::1", "2001:0:a00:1::1", "2001:0:909:909::f5ff:fffe",
            "2001:db8::5efe:10.0.0.1", "2001:db8::200:5efe:10.0.0.1",
            "fec0::1", "192.0.0.8", "198.18.0.1", "198.19.255.255", "255.255.255.255",
        ])
    func `they are known in every form`(text: String) throws {
        #expect(LocalNetworkGate.isLocal(try SocketAddress(ipAddress: text, port: 1)))
    }

    @Test(
        arguments: [
            "::ffff:9.9.9.9", "::ffff:0:9.9.9.9", "64:ff9b::9.9.9.9", "2002:909:909::1", "2001:0:909:909::f6f6:f6f6",
            "2001:db8::5efe:9.9.9.9", "2620:fe::fe", "192.0.1.1", "198.20.0.1", "100.128.0.1",
        ])
    func `others are not`(text: String) throws {
        #expect(!LocalNetworkGate.isLocal(try SocketAddress(ipAddress: text, port: 1)))
    }
}
