import Cryptography
import Foundation
import SMP
import SMPTransport
import Testing

@testable import Relay
@testable import SMPSession

/// Where a relay listens, and with which certificates.
@Suite(.timeLimit(.minutes(5))) struct ListeningTests {
    @Test func `all addresses lead to the same queues`() async throws {
        try await withRelay(
            change: .init { configuration in
                // IPv4 and IPv6 share the port.
                configuration.furtherEndpoints = [
                    RelayEndpoint(host: "::1", port: configuration.port), RelayEndpoint(host: "127.0.0.2", port: 0),
                ]
            }
        ) { relay, address in
            let first = try await RelayConnection.connect(to: address)
            let other = try RelayAddress(hosts: ["::1"], port: address.port, keyHash: address.keyHash)
            let second = try await RelayConnection.connect(to: other)
            var events = EventReader(first)
            let queue = try await TestQueue(on: first)
            #expect(
                try await second.request(queue.sender(.send(notify: false, body: [6]), secured: false)) == .ok)
            #expect(try await events.nextMessage(of: queue).body.sent == [6])
            #expect(relay.connectionCount == 2)
        }
    }

    @Test func `every interface of both families can be named`() async throws {
        try await withRelay(
            change: .init { configuration in
                configuration.host = "0.0.0.0"
                configuration.announcedHost = "127.0.0.1"
                configuration.furtherEndpoints = [RelayEndpoint(host: "::", port: configuration.port)]
            }
        ) { _, address in
            for host in ["127.0.0.1", "::1"] {
                let address = try RelayAddress(hosts: [host], port: address.port, keyHash: address.keyHash)
                let connection = try await RelayConnection.connect(to: address)
                #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            }
        }
    }

    @Test func `a busy second address stops the first`() async throws {
        try await withRelay { _, busy in
            try await withFolder { folder in
                var configuration = RelayConfiguration(port: 0, stateDirectory: folder)
                configuration.furtherEndpoints = [RelayEndpoint(host: "127.0.0.1", port: busy.port ?? 0)]
                let relay = RelayServer(configuration: configuration)
                await #expect(throws: RelayStartError.self) { try await relay.start() }
                #expect(relay.address == nil)
                // The state is free again.
                try SQLitePersistence(directory: folder).close()
            }
        }
    }

    @Test func `the limit of connections holds for all addresses`() async throws {
        try await withRelay(
            change: .init { configuration in
                configuration.limits = ConnectionLimits(total: 1)
                configuration.furtherEndpoints = [RelayEndpoint(host: "::1", port: configuration.port)]
            }
        ) { relay, address in
            let first = try await RelayConnection.connect(to: address)
            let other = try RelayAddress(hosts: ["::1"], port: address.port, keyHash: address.keyHash)
            await #expect(throws: TransportError.self) { try await RelayConnection.connect(to: other) }
            #expect(try await first.request(RelayRequest(.ping)) == .pong)
            #expect(relay.snapshot.refusedConnections[.total] == 1)
        }
    }

    @Test func `certificates may have a folder of their own`() async throws {
        try await withFolder { folder in
            var configuration = RelayConfiguration(port: 0, stateDirectory: folder + "/state")
            configuration.certificatesDirectory = folder + "/certificates"
            let relay = RelayServer(configuration: configuration)
            let address = try await relay.start()
            await relay.stop()
            let manager = FileManager.default
            #expect(
                try manager.contentsOfDirectory(atPath: folder + "/certificates").sorted()
                    == ["ca.crt", "ca.key", "server.crt", "server.key"])
            #expect(!manager.fileExists(atPath: folder + "/state/ca.crt"))
            // The identity's key may be taken away.
            try manager.removeItem(atPath: folder + "/certificates/ca.key")
            let again = RelayServer(configuration: configuration)
            #expect(try await again.start().keyHash == address.keyHash)
            await again.stop()
        }
    }

    /// Certificates that another program made, of an algorithm that old relays have.
    @Test func `Ed448 certificates from elsewhere serve all versions`() async throws {
        try await withFolder { folder in
            try Self.makeEd448Certificates(in: folder + "/certificates")
            var configuration = RelayConfiguration(port: 0, stateDirectory: folder + "/state", storage: .memory)
            configuration.certificatesDirectory = folder + "/certificates"
            let relay = RelayServer(configuration: configuration)
            let address = try await relay.start()
            for version in [9, 11, 14, 17] as [UInt16] {
                let client = TransportConfiguration(versions: SMPVersionRange(9...version))
                let connection = try await RelayConnection.connect(to: address, configuration: client)
                #expect(connection.version == SMPVersion(rawValue: version))
                #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            }
            await relay.stop()
        }
    }

    @Test func `an X448 first client reaches a relay that has only X25519`() async throws {
        try await withRelay(change: .init { $0.tls = TLSOptions(groups: [.x25519]) }) { _, address in
            let client = TransportConfiguration(tls: TLSOptions(groups: [.x448, .x25519]))
            let connection = try await RelayConnection.connect(to: address, configuration: client)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }

    private static func makeEd448Certificates(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\nextendedKeyUsage=serverAuth\n".write(
            toFile: folder + "/leaf.txt", atomically: true, encoding: .utf8)
        try openssl(
            "req -new -x509 -newkey ed448 -nodes -keyout ca.key -out ca.crt -days 3650 -subj /CN=CA "
                + "-addext basicConstraints=critical,CA:TRUE", in: folder)
        try openssl("req -new -newkey ed448 -nodes -keyout server.key -out server.csr -subj /CN=localhost", in: folder)
        try openssl(
            "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out server.crt -days 3650 "
                + "-extfile leaf.txt", in: folder)
    }

    private static func openssl(_ arguments: String, in folder: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
