import Cryptography
import Foundation
import NIOCore
import NIOPosix
import RelayFixtures
import SMP
import Testing

@testable import SMPSession
@testable import SMPTransport

/// Connections between the real client and the real listener over loopback.
@Suite(.timeLimit(.minutes(5))) struct RelayConnectionTests {
    private func failure(
        _ address: RelayAddress, _ configuration: TransportConfiguration = TransportConfiguration()
    ) async -> TransportError? {
        do throws(TransportError) {
            _ = try await RelayConnection.connect(to: address, configuration: configuration)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [(9...14, 9...14, 14), (9...11, 9...14, 11), (9...17, 9...14, 14), (9...14, 12...17, 14)]
            as [(ClosedRange<UInt16>, ClosedRange<UInt16>, UInt16)])
    func `the highest common version is agreed`(
        client: ClosedRange<UInt16>, server: ClosedRange<UInt16>, agreed: UInt16
    ) async throws {
        try await withListener(versions: SMPVersionRange(server)) { address, _ in
            let connection = try await RelayConnection.connect(
                to: address, configuration: TransportConfiguration(versions: SMPVersionRange(client)))
            #expect(connection.version == SMPVersion(rawValue: agreed))
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            await connection.close()
        }
    }

    @Test func `without common version there is no connection`() async throws {
        try await withListener(versions: SMPVersionRange(9...14)) { address, _ in
            #expect(await failure(address, TransportConfiguration(versions: SMPVersionRange(15...17))) == .version)
        }
    }

    @Test func `another fingerprint is refused`() async throws {
        try await withListener { address, _ in
            let other = try RelayAddress(hosts: address.hosts, port: address.port, keyHash: Digest.sha256([1]))
            #expect(await failure(other) == .wrongFingerprint)
        }
    }

    @Test func `a chain of five is refused`() async throws {
        let fixture = try CertificateFixture()
        let chain = CertificateChain(certificates: try fixture.chain(length: 5))
        let certificates = try RelayCertificates(chain: chain, serverKey: fixture.serverKey)
        try await withListener(certificates: certificates) { address, _ in
            #expect(await failure(address) == .badCertificate(.chainLength(5)))
        }
    }

    @Test(arguments: [3, 4]) func `longer chains work`(length: Int) async throws {
        let fixture = try CertificateFixture()
        let chain = CertificateChain(certificates: try fixture.chain(length: length))
        let certificates = try RelayCertificates(chain: chain, serverKey: fixture.serverKey)
        try await withListener(certificates: certificates) { address, _ in
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }

    @Test func `an expired certificate is refused`() async throws {
        let fixture = try CertificateFixture()
        let leaf = try fixture.leaf(dates: .init(notBefore: -2, notAfter: -1))
        let chain = CertificateChain(certificates: [leaf.der, fixture.authority.der])
        let certificates = try RelayCertificates(chain: chain, serverKey: fixture.serverKey)
        try await withListener(certificates: certificates) { address, _ in
            #expect(await failure(address) == .badCertificate(.validityDates))
        }
    }

    @Test func `Ed448 certificates work`() async throws {
        let authorityKey = AuthenticationPrivateKey.ed448(.init())
        let serverKey = AuthenticationPrivateKey.ed448(.init())
        let authority = try CertificateMaker.authority(key: authorityKey)
        let leaf = try CertificateMaker.leaf(key: serverKey, host: "h", issuer: authority, issuerKey: authorityKey)
        let chain = CertificateChain(certificates: [leaf.der, authority.der])
        try await withListener(certificates: RelayCertificates(chain: chain, serverKey: serverKey)) { address, _ in
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }

    @Test(arguments: [[TLSGroup.x25519], [.x448], [.x25519, .x448]])
    func `clients of every group are served`(groups: [TLSGroup]) async throws {
        try await withListener { address, _ in
            let connection = try await RelayConnection.connect(
                to: address, configuration: TransportConfiguration(tls: TLSOptions(groups: groups)))
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }

    @Test func `a relay without X448 asks the client to try again`() async throws {
        try await withListener(tls: TLSOptions(groups: [.x25519])) { address, _ in
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }

    @Test func `clients without application protocol are sent away`() async throws {
        try await withListener { address, _ in
            let configuration = TransportConfiguration(tls: TLSOptions(applicationProtocols: []))
            #expect(await failure(address, configuration) == .closedByPeer)
        }
    }

    @Test func `clients of another application protocol are refused`() async throws {
        try await withListener { address, _ in
            let configuration = TransportConfiguration(tls: TLSOptions(applicationProtocols: ["h2"]))
            #expect(await failure(address, configuration) == .noApplicationProtocol)
        }
    }

    @Test func `a closed port is unreachable`() async throws {
        // Port 1 is nobody's; one that was just closed may live on for a moment in a program that a test starts.
        let failure = await failure(try RelayAddress(hosts: ["127.0.0.1"], port: 1, keyHash: Digest.sha256([])))
        #expect(failure == .hostUnreachable(host: "127.0.0.1", reason: "connection refused"))
    }

    @Test func `an unknown name is unreachable`() async throws {
        let address = try RelayAddress(hosts: ["relay.invalid"], port: 1, keyHash: Digest.sha256([]))
        guard case .hostUnreachable("relay.invalid", _) = await failure(address) else {
            Issue.record("the name was found")
            return
        }
    }

    @Test func `onion services are named as out of reach`() async throws {
        let address = try RelayAddress(hosts: ["abc.onion"], port: nil, keyHash: Digest.sha256([]))
        #expect(await failure(address) == .noReachableHost)
    }

    @Test func `the next host is tried when the first is silent`() async throws {
        try await withListener { address, _ in
            let both = try RelayAddress(
                hosts: ["abc.onion", "relay.invalid", "127.0.0.1"], port: address.port, keyHash: address.keyHash)
            let connection = try await RelayConnection.connect(to: both)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }

    @Test func `requests sent together are answered in order`() async throws {
        try await withListener { address, _ in
            let connection = try await RelayConnection.connect(to: address)
            let results = await connection.requests(Array(repeating: (), count: 600).map { RelayRequest(.ping) })
            #expect(results.count == 600)
            #expect(results.allSatisfy { $0 == .success(.pong) })
        }
    }

    @Test func `a silent relay times requests out`() async throws {
        try await withListener(service: PongService(answers: false)) { address, _ in
            let connection = try await RelayConnection.connect(
                to: address, configuration: TransportConfiguration(commandTimeout: .milliseconds(50)))
            await #expect(throws: RelayRequestError.timeout) { try await connection.request(RelayRequest(.ping)) }
        }
    }

    @Test func `a silent relay is given up`() async throws {
        try await withListener(service: PongService(answers: false)) { address, _ in
            let connection = try await RelayConnection.connect(
                to: address,
                configuration: TransportConfiguration(
                    commandTimeout: .milliseconds(20), keepAliveInterval: .milliseconds(100)))
            var last: RelayEvent?
            for await event in connection.events { last = event }
            #expect(last == .down(.silent))
        }
    }

    @Test func `a relay that owes an answer is given up long before one that is merely silent`() async throws {
        try await withListener(service: PongService(answers: false)) { address, _ in
            // The keep-alive of ten minutes plays no part.
            let connection = try await RelayConnection.connect(
                to: address, configuration: TransportConfiguration(commandTimeout: .milliseconds(100)))
            _ = try? await connection.request(RelayRequest(.ping))
            var last: RelayEvent?
            for await event in connection.events { last = event }
            #expect(last == .down(.silent))
        }
    }

    @Test func `the kernel ends a connection whose way is cut within fifteen seconds`() async throws {
        try await withListener { address, _ in
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.isProbedByKernel)
            #expect(try await connection.socketOption(TCP_KEEPIDLE) == 10)
            #expect(try await connection.socketOption(TCP_KEEPINTVL) == 5)
            #expect(try await connection.socketOption(TCP_KEEPCNT) == 3)
            #expect(try await connection.socketOption(TCP_USER_TIMEOUT) == 15_000)
            await connection.close()
        }
    }

    @Test func `keep alive keeps an idle connection`() async throws {
        try await withListener { address, _ in
            let connection = try await RelayConnection.connect(
                to: address,
                configuration: TransportConfiguration(
                    commandTimeout: .seconds(30), keepAliveInterval: .milliseconds(40)))
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }

    @Test func `the end of the connection interrupts requests`() async throws {
        let service = PongService(answers: false)
        try await withListener(service: service) { address, listener in
            let connection = try await RelayConnection.connect(to: address)
            async let answer = connection.requests([RelayRequest(.ping)])
            try await Task.sleep(for: .milliseconds(50))
            await listener.stop()
            #expect(await answer == [.failure(.interrupted(.closedByPeer))])
            #expect(await connection.requests([RelayRequest(.ping)]) == [.failure(.notConnected(.closedByPeer))])
        }
    }

    @Test func `events run from up to down`() async throws {
        try await withListener { address, _ in
            let connection = try await RelayConnection.connect(to: address)
            await connection.close()
            var events: [RelayEvent] = []
            for await event in connection.events { events.append(event) }
            #expect(events == [.up(17), .down(.closed)])
        }
    }

    @Test func `what is too long for a block is not sent`() async throws {
        try await withListener { address, _ in
            let connection = try await RelayConnection.connect(to: address)
            let body = [UInt8](repeating: 0, count: 20_000)
            let results = await connection.requests([
                RelayRequest(.send(notify: false, body: body), entity: .random()), RelayRequest(.ping),
            ])
            #expect(results == [.failure(.notEncodable), .success(.pong)])
        }
    }

    @Test func `a server that does not speak TLS times out`() async throws {
        let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(silent.localAddress?.port)
        let address = try RelayAddress(
            hosts: ["127.0.0.1"], port: UInt16(clamping: port), keyHash: Digest.sha256([]))
        let configuration = TransportConfiguration(connectTimeout: .seconds(1))
        #expect(await failure(address, configuration) == .timeout(.tls))
        try await silent.close()
    }

    @Test func `a client that does not speak is closed`() async throws {
        try await withListener(tlsTimeout: .milliseconds(50)) { address, listener in
            let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: Int(address.effectivePort)).get()
            try await client.closeFuture.get()
        }
    }

    @Test func `connections beyond the limit are closed`() async throws {
        try await withListener(maximumConnections: 1) { address, _ in
            let first = try await RelayConnection.connect(to: address)
            #expect(await failure(address) != nil)
            #expect(try await first.request(RelayRequest(.ping)) == .pong)
        }
    }

    @Test func `OpenSSL's own client agrees on the parameters`() async throws {
        try await withListener { address, _ in
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = [
                "s_client", "-connect", "127.0.0.1:\(address.port ?? 0)", "-alpn", "smp/1", "-tls1_3", "-groups",
                "P-256:X25519", "-showcerts",
            ]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(text.contains("ALPN protocol: smp/1"))
            #expect(text.contains("TLS_CHACHA20_POLY1305_SHA256"))
            // Releases word and space what follows otherwise: 3.5 says "Peer Temp Key" and "CN=".
            #expect(text.contains("Temp Key: X25519"))
            #expect(text.contains("Peer signature type: ed25519"))
            #expect(text.replacing(" ", with: "").contains("CN=SMPserverCA"))
        }
    }
}
