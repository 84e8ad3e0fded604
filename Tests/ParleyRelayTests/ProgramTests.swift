import Cryptography
import Foundation
import SMP
import SMPSession
import SMPTransport
import TestSupport
import Testing

/// Runs the built program.
@Suite(.timeLimit(.minutes(5))) struct ProgramTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `prints its address serves and stops cleanly`(signal: Int32) async throws {
        try await withState { state in
            let relay = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state])
            let line = relay.line()
            #expect(line.hasPrefix("relay smp://"))
            let address = try RelayAddress(parsing: String(line.dropFirst("relay ".count)))
            #expect(address.port != 0)
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            relay.end(signal)
            #expect(relay.exitStatus == 0)
        }
    }

    @Test func `keeps its identity over restarts`() async throws {
        try await withState { state in
            var hashes: [[UInt8]] = []
            for _ in 0..<2 {
                let relay = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state])
                let address = try relay.address()
                hashes.append(address.keyHash)
                relay.end(SIGTERM)
            }
            #expect(hashes[0] == hashes[1])
        }
    }

    @Test(arguments: [
        ["--listen", "nonsense", "--state", "x"], ["--state", "x", "--quota", "0"], ["--bogus"],
        ["--state", "x", "--in-memory"], ["--state", "x", "--versions", "6-17"],
    ])
    func `mistakes get one sentence and the usage`(arguments: [String]) throws {
        let relay = try RelayProcess(arguments)
        let errors = relay.complaints()
        #expect(relay.exitStatus ?? 0 != 0)
        #expect(errors.hasPrefix("Error: "))
        #expect(errors.lowercased().contains("usage: parley-relay"))
    }

    @Test(arguments: [
        ([], "Error: Say where queues are kept"), (["--in-memory"], "Error: Say where certificates are kept"),
        (["--config", "/nonexistent"], "Error: The file /nonexistent can't be read"),
        (["--state", "x", "--create-password", "/nonexistent"], "Error: The file /nonexistent can't be read"),
    ])
    func `what is missing is said in one line`(arguments: [String], beginning: String) throws {
        let relay = try RelayProcess(arguments)
        let errors = relay.complaints()
        #expect(relay.exitStatus ?? 0 != 0)
        #expect(errors.hasPrefix(beginning))
        #expect(errors.split(separator: "\n").count == 1)
    }

    @Test func `a file configures the relay`() async throws {
        try await withState { state in
            let folder = try TemporaryFolder()
            try "correct-horse-battery\n".write(toFile: folder.file("password"), atomically: true, encoding: .utf8)
            try """
            listen = ["127.0.0.1:0", "[::1]:0"]
            certificates = "\(state)/certificates"
            state = "\(state)/queues"
            create-password = "\(folder.file("password"))"
            versions = "9-11"
            metrics = "127.0.0.1:0"
            """.write(toFile: folder.file("relay.toml"), atomically: true, encoding: .utf8)
            let relay = try RelayProcess(["--config", folder.file("relay.toml"), "--versions", "9-14"])
            let address = try relay.address()
            #expect(relay.line().hasPrefix("metrics http://127.0.0.1:"))
            let connection = try await RelayConnection.connect(to: address)
            #expect(connection.version == 14)
            await #expect(throws: RelayRequestError.refused(.authentication)) {
                try await makeQueue(on: connection, password: nil)
            }
            try await makeQueue(on: connection, password: RelayPassword(parsing: "correct-horse-battery"))
            #expect(FileManager.default.fileExists(atPath: state + "/queues/relay.sqlite"))
            #expect(FileManager.default.fileExists(atPath: state + "/certificates/server.key"))
            relay.end(SIGTERM)
            #expect(relay.exitStatus == 0)
        }
    }

    @Test func `queues in memory leave nothing but certificates and need no authority key`() async throws {
        try await withState { state in
            var addresses: [[UInt8]] = []
            for _ in 0..<2 {
                let relay = try RelayProcess(["--listen", "127.0.0.1:0", "--in-memory", "--certificates", state])
                let address = try relay.address()
                addresses.append(address.keyHash)
                let connection = try await RelayConnection.connect(to: address)
                try await makeQueue(on: connection, password: nil)
                relay.end(SIGTERM)
                #expect(!FileManager.default.fileExists(atPath: state + "/relay.sqlite"))
                try? FileManager.default.removeItem(atPath: state + "/ca.key")
            }
            #expect(addresses[0] == addresses[1])
        }
    }

    @Test func `a relay that takes no new queues still serves`() async throws {
        try await withState { state in
            let relay = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state, "--no-create"])
            let connection = try await RelayConnection.connect(to: relay.address())
            await #expect(throws: RelayRequestError.refused(.authentication)) {
                try await makeQueue(on: connection, password: nil)
            }
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            relay.end(SIGTERM)
        }
    }

    private func makeQueue(on connection: RelayConnection, password: RelayPassword?) async throws {
        let key = AuthenticationPrivateKey.ed25519(.init())
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, password: password,
            link: .messaging(nil))
        let answer = try await connection.request(RelayRequest(.new(request), key: key))
        guard case .queue = answer else { throw RelayRequestError.unexpectedResponse }
    }

    @Test func `a busy port is named`() async throws {
        try await withState { state in
            let first = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state])
            let address = try first.address()
            let second = try RelayProcess([
                "--listen", "127.0.0.1:\(address.port ?? 0)", "--state", state + "/second",
            ])
            let errors = second.complaints()
            #expect(second.exitStatus ?? 0 != 0)
            #expect(errors.contains("can't listen"))
            first.end(SIGTERM)
        }
    }
}
