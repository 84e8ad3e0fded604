import Cryptography
import NIOCore
import SMP
import TestSupport
import Testing

@testable import SMPSession
@testable import SMPTransport

/// How a proxy connects to relays.
@Suite(.timeLimit(.minutes(5))) struct ProxyHelloTests {
    private let certificates: RelayCertificates
    private let sessionID = [UInt8](repeating: 9, count: 32)

    init() throws { certificates = try RelayCertificates.make(host: "h") }

    /// The hellos of a proxy and a relay with these versions.
    private func greet(
        _ own: ClosedRange<UInt16>, _ relay: ClosedRange<UInt16>
    ) throws -> (hello: ClientHello?, agreement: ServerGreeting.Agreement?, forwarding: ForwardingDetails?) {
        var machine = ClientMachine(
            versions: SMPVersionRange(own), keyHash: certificates.fingerprint, sessionKey: .init(), isProxy: true)
        machine.tlsEstablished(
            TLSDetails(
                sessionID: sessionID, applicationProtocol: "smp/1", serverChain: certificates.chain.certificates))
        let greeting = try ServerGreeting(
            versions: SMPVersionRange(relay), sessionID: sessionID, certificates: certificates)
        guard case .send(let block) = machine.received(try greeting.block()).first else { return (nil, nil, nil) }
        return (
            try ClientHello(decoding: Padding.unpad(block)), try greeting.agree(on: block), machine.forwarding
        )
    }

    @Test(
        arguments: [
            (9...17, 9...17, 17), (9...17, 9...14, 14), (9...14, 9...17, 14), (9...17, 9...13, 10),
            (9...12, 9...17, 10),
            (9...17, 9...9, 9),
        ] as [(ClosedRange<UInt16>, ClosedRange<UInt16>, UInt16)])
    func `blocks of a proxy are not encrypted twice`(
        own: ClosedRange<UInt16>, relay: ClosedRange<UInt16>, agreed: UInt16
    ) throws {
        let (hello, agreement, forwarding) = try greet(own, relay)
        #expect(hello?.version == SMPVersion(rawValue: agreed))
        #expect(hello?.isProxy == (agreed >= 14))
        #expect(agreement?.cipher.encrypts == false)
        #expect(forwarding?.versions == SMPVersionRange(relay))
        #expect(forwarding?.secret == agreement?.secret)
        #expect(forwarding?.key.keyHash == certificates.fingerprint)
    }

    @Test func `a relay that only knows encrypted blocks without the flag is left`() throws {
        #expect(try greet(9...17, 11...13).hello == nil)
    }

    @Test func `an ordinary client knows nothing to pass on`() throws {
        var machine = ClientMachine(
            versions: SMPVersionRange(9...17), keyHash: certificates.fingerprint, sessionKey: .init())
        machine.tlsEstablished(
            TLSDetails(
                sessionID: sessionID, applicationProtocol: "smp/1", serverChain: certificates.chain.certificates))
        let greeting = try ServerGreeting(
            versions: SMPVersionRange(9...17), sessionID: sessionID, certificates: certificates)
        #expect(!machine.received(try greeting.block()).isEmpty)
        #expect(machine.forwarding == nil)
    }

    @Test(
        arguments: [
            ("127.0.0.1", true), ("10.1.2.3", true), ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.1.1", true),
            ("169.254.1.1", true), ("100.64.0.1", true), ("0.0.0.0", true), ("224.0.0.1", true), ("9.9.9.9", false),
            ("::1", true), ("::", true), ("fe80::1", true), ("fd00::1", true), ("ff02::1", true),
            ("2001:db8::1", false),
            ("::ffff:127.0.0.1", true), ("::ffff:9.9.9.9", false), ("64:ff9b::10.0.0.1", true),
        ])
    func `addresses of private networks are known`(text: String, isLocal: Bool) throws {
        #expect(LocalNetworkGate.isLocal(try SocketAddress(ipAddress: text, port: 5223)) == isLocal)
    }

    @Test func `a guarded connection does not reach this machine`() async throws {
        let server = try SilentServer()
        let address = try RelayAddress(hosts: ["127.0.0.1"], port: server.port, keyHash: Digest.sha256([1]))
        var configuration = TransportConfiguration(connectTimeout: .milliseconds(500))
        configuration.reachesLocalNetworks = false
        await #expect(throws: TransportError.noReachableHost) {
            _ = try await RelayConnection.connect(to: address, configuration: configuration)
        }
        // An unguarded one connects, and speaks first.
        configuration.reachesLocalNetworks = true
        await #expect(throws: TransportError.timeout(.tls)) {
            _ = try await RelayConnection.connect(to: address, configuration: configuration)
        }
        try await waitUntil("the end of the only connection") { !server.ended.isEmpty }
        #expect(server.ended.count == 1)
        #expect(try #require(server.ended.last) > 0)
        server.stop()
    }
}
