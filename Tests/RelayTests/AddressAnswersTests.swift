import BaseKit
import Glibc
import SMPTransport
import STUN
import TestSupport
import Testing

@testable import Relay

/// A relay and real sockets.
@Suite(.timeLimit(.minutes(5))) struct AddressAnswersTests {
    private static var answering: RelayChange { RelayChange { $0.addressAnswers = .on(port: nil, required: true) } }

    @Test func `a relay tells at its own port which address it is asked from`() async throws {
        try await withRelay(change: Self.answering) { relay, address in
            let port = try #require(address.port)
            #expect(relay.stunPorts == [port])
            let client = try DatagramClient("127.0.0.1", port)
            let request = STUNMessage(.binding, transaction: [UInt8](1...12)).encoded()
            let answer = try #require(client.ask(request).flatMap { STUNMessage(decoding: $0) })
            #expect(answer.seenAddress == "127.0.0.1:\(client.port)" && answer.transaction == [UInt8](1...12))
            // What is none is dropped, and the next is answered.
            client.send([1, 2, 3])
            #expect(client.ask(request) != nil)
            #expect(relay.snapshot.text.contains("parley_relay_stun_answers_total{answer=\"address\"} 2\n"))
            #expect(relay.snapshot.text.contains("parley_relay_stun_dropped_total{reason=\"malformed\"} 1\n"))
        }
    }

    @Test func `on every interface an answer comes from the address that was asked`() async throws {
        try await withRelay(
            change: .init {
                $0.host = "0.0.0.0"
                $0.furtherEndpoints = [RelayEndpoint(host: "::", port: $0.port)]
                $0.addressAnswers = .on(port: nil, required: true)
            }
        ) { relay, address in
            let port = try #require(address.port)
            let request = STUNMessage(.binding, transaction: [UInt8](1...12)).encoded()
            // A connected socket hears only who it asked. 127.0.0.2 is this machine, too.
            for host in ["127.0.0.1", "127.0.0.2", "::1"] {
                let client = try DatagramClient(host, port)
                let answer = client.ask(request).flatMap { STUNMessage(decoding: $0) }
                let own = host == "::1" ? "[::1]" : "127.0.0.1"
                #expect(answer?.seenAddress == "\(host == "127.0.0.2" ? "127.0.0.1" : own):\(client.port)", "\(host)")
            }
        }
    }

    @Test func `a relay that is told not to does not answer`() async throws {
        try await withRelay(change: .init { $0.addressAnswers = .off }) { relay, address in
            #expect(relay.stunPorts == [])
            let client = try DatagramClient("127.0.0.1", try #require(address.port))
            #expect(client.ask(STUNMessage(.binding, transaction: [UInt8](1...12)).encoded(), patience: 0.2) == nil)
            #expect(!relay.snapshot.text.contains("stun"))
        }
    }

    @Test func `a port that is taken keeps a relay from starting only where it was named`() async throws {
        let other = try DatagramClient(bound: "127.0.0.1")
        let folder = try TemporaryFolder()
        func configuration(isRequired: Bool) -> RelayConfiguration {
            var configuration = RelayConfiguration(port: 0, stateDirectory: folder.path, storage: .memory)
            configuration.addressAnswers = .on(port: other.port, required: isRequired)
            return configuration
        }
        let lenient = RelayServer(configuration: configuration(isRequired: false))
        _ = try await lenient.start()
        #expect(lenient.stunPorts == [])
        await lenient.stop()
        let strict = RelayServer(configuration: configuration(isRequired: true))
        await #expect(throws: RelayStartError.self) { try await strict.start() }
    }

    @Test func `a relay that was stopped answers no more, and again after its next start`() async throws {
        try await withRelay(change: Self.answering) { relay, address in
            let request = STUNMessage(.binding, transaction: [UInt8](1...12)).encoded()
            let port = try #require(address.port)
            await relay.stop()
            #expect(try DatagramClient("127.0.0.1", port).ask(request, patience: 0.2) == nil)
            try await startAgain(relay)
            // The thread of before may hold the port for a moment; then the relay says so in its log and goes on without.
            #expect(try DatagramClient("127.0.0.1", port).ask(request) != nil)
        }
    }
}

/// A UDP socket that is connected to one place.
final class DatagramClient {
    private let descriptor: Int32
    let port: UInt16

    struct Failure: Error {}

    init(_ host: String, _ port: UInt16) throws {
        (descriptor, self.port) = try Self.open(host, port, connects: true)
    }

    init(bound host: String) throws { (descriptor, port) = try Self.open(host, 0, connects: false) }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, 0) }

    /// The next answer, after at most so many seconds.
    func ask(_ bytes: [UInt8], patience: Double = 10) -> [UInt8]? {
        send(bytes)
        var limit = timeval(tv_sec: Int(patience), tv_usec: Int(patience.truncatingRemainder(dividingBy: 1) * 1e6))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: 2_048)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func open(_ host: String, _ port: UInt16, connects: Bool) throws -> (Int32, UInt16) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let entry = list?.pointee else { throw Failure() }
        defer { freeaddrinfo(list) }
        let descriptor = socket(entry.ai_family, entry.ai_socktype, 0)
        let made =
            connects
            ? connect(descriptor, entry.ai_addr, entry.ai_addrlen) : bind(descriptor, entry.ai_addr, entry.ai_addrlen)
        guard descriptor >= 0, made == 0 else { throw Failure() }
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The port stands at the same place for both families.
        return (descriptor, UInt16(bigEndian: name.sin6_port))
    }
}
