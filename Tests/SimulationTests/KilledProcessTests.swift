import Foundation
import TestSupport
import Testing

/// Real processes that are killed while messages flow: a relay, and the two agents that talk over it. Afterwards they are
/// counted.
struct KilledProcessTests {
    private static let rounds = 50

    /// One agent's process, which comes back after each death.
    private final class Client {
        let name: String
        let folder: String
        private let relay: String
        var link: String?
        private var process: ChildProcess
        /// What processes that have died complained about.
        private var complaints: [String] = []

        init(_ name: String, in folder: TemporaryFolder, relay: String, link: String? = nil) throws {
            self.name = name
            self.folder = folder.file(name)
            self.relay = relay
            self.link = link
            try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
            process = try Self.start(self.folder, relay, link)
        }

        private static func start(_ folder: String, _ relay: String, _ link: String?) throws -> ChildProcess {
            let arguments = [folder, relay] + (link.map { [$0] } ?? [])
            return try ChildProcess(ChildProcess.built("SoakClient"), arguments, folder: folder)
        }

        func killAndRestart() async throws {
            process.signal(SIGKILL)
            #expect(try await process.exitStatus() == 128 + SIGKILL, "\(process.errors)")
            complaints += process.lines
            process = try Self.start(folder, relay, link)
        }

        func end() async throws -> [String] {
            process.signal(SIGKILL)
            _ = try await process.exitStatus()
            return complaints + process.lines
        }

        func has(_ file: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + file) }

        func write(_ file: String) throws { try Data().write(to: URL(fileURLWithPath: folder + "/" + file)) }

        func text(_ file: String) throws -> String { try String(contentsOfFile: folder + "/" + file, encoding: .utf8) }

        func numbers(_ file: String) throws -> [Int] {
            try text(file).split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `every message that was stored arrives once in order whoever is killed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let program = ChildProcess.built("parley-relay")
        func startRelay(_ listen: String) throws -> ChildProcess {
            try ChildProcess(program, ["--listen", listen, "--state", folder.file("relay")], folder: folder.path)
        }
        var relay = try startRelay("127.0.0.1:0")
        let address = try await relay.line { $0.hasPrefix("relay ") }.dropFirst("relay ".count)
        let port = address.split(separator: ":").last ?? "0"
        let first = try Client("first", in: folder, relay: String(address))
        try await waitUntil("a link") { first.has("link") }
        let second = try Client("second", in: folder, relay: String(address), link: try first.text("link"))
        try await waitUntil("both are connected") { first.has("connected") && second.has("connected") }

        for round in 0..<Self.rounds {
            // Not always at the same moment of their work.
            try await Task.sleep(for: .milliseconds(30 + round * 37 % 90))
            relay.signal(SIGKILL)
            #expect(try await relay.exitStatus() == 128 + SIGKILL)
            relay = try startRelay("127.0.0.1:\(port)")
            try await Task.sleep(for: .milliseconds(40 + round * 53 % 110))
            try await (round.isMultiple(of: 2) ? first : second).killAndRestart()
        }

        // On a busy machine most of the time goes into starting.
        for client in [first, second] {
            try await waitUntil("\(client.name) has stored enough") { try client.numbers("stored").count > Self.rounds }
        }
        for client in [first, second] { try client.write("stop") }
        let pairs = [(first, second), (second, first)]
        for (sender, recipient) in pairs {
            try await waitUntil("\(recipient.name) has all") {
                try Set(sender.numbers("stored")).isSubset(of: Set(recipient.numbers("received")))
            }
        }
        #expect(try await first.end() == [])
        #expect(try await second.end() == [])
        relay.signal(SIGTERM)
        for (sender, recipient) in pairs {
            let (stored, received) = (try sender.numbers("stored"), try recipient.numbers("received"))
            #expect(zip(received, received.dropFirst()).allSatisfy { $0 < $1 })
            #expect(Set(received).isSubset(of: Set(try sender.numbers("attempts"))))
            // What was under way at a death may have been stored without the application's having been told.
            #expect(received.count - stored.count <= Self.rounds)
        }
    }
}
