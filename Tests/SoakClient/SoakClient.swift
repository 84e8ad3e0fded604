import Agent
import Cryptography
import Foundation
import Logging
import SMP
import SMPSession
import SMPTransport
import Synchronization

/// A program for one test: an agent that sends numbered messages until it is told to stop, and writes down what it was told
/// and what it got, so that somebody can count after it was killed any number of times.
///
/// Arguments: folder, relay, and the other's link unless this side makes it (`link`). In the folder it keeps `attempts`,
/// `stored` and `received`, a line a message; the file `stop` tells it to send no more.
@main
struct SoakClient {
    static func main() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { throw Misuse() }
        let link = arguments.count > 2 ? arguments[2] : nil
        try await SoakClient(folder: arguments[0], relay: RelayAddress(parsing: arguments[1]), link: link).run()
    }

    struct Misuse: Error {}

    private let folder: String
    private let agent: Agent
    private let link: String?
    private let attempts: Notebook
    private let stored: Notebook
    private let received: Notebook
    private let repeats: Repeats

    private init(folder: String, relay: RelayAddress, link: String?) async throws {
        self.folder = folder
        self.link = link
        attempts = try Notebook(folder + "/attempts")
        stored = try Notebook(folder + "/stored")
        received = try Notebook(folder + "/received")
        repeats = Repeats(received.lines)
        var transport = TransportConfiguration()
        // It has to be back before the next death.
        transport.backoff = ReconnectBackoff(
            initial: .milliseconds(20), growAfter: .seconds(1), maximum: .milliseconds(50))
        let key = SecretBytes((0..<32).map { UInt8($0) })
        agent = try await Agent(
            configuration: AgentConfiguration(
                directory: folder + "/agent", storeKey: key, relays: [relay], transport: transport))
    }

    private func run() async throws {
        await agent.start()
        let sender = Task { try await send() }
        for await event in agent.events {
            switch event {
            case .confirmation(let connection, _): try await agent.allow(connection, info: [])
            case .message(let connection, let message): try await receive(message, connection)
            case .failed(_, _, let error): print("failed \(error)")
            case .integrityBroken(_, let integrity): print("broken \(integrity)")
            default: break
            }
        }
        try await sender.value
    }

    private func receive(_ message: ReceivedMessage, _ connection: ConnectionID) async throws {
        // The same message comes again when a death came before its acknowledgement.
        let name = "\(message.id)"
        if repeats.isNew(name) {
            try received.write(name + " " + String(decoding: message.body, as: UTF8.self))
        }
        if message.integrity != .ok { print("broken \(message.integrity)") }
        await agent.acknowledge(connection, message: message.id, receipt: false)
    }

    private func connection() async throws -> ConnectionID {
        if let known = try await agent.connections().last { return known.id }
        if let link { return try await agent.join(link: link, info: []) }
        let made = try await agent.makeInvitation()
        try made.link.write(toFile: folder + "/link", atomically: true, encoding: .utf8)
        return made.connection
    }

    private func send() async throws {
        let connection = try await connection()
        while try await agent.status(of: connection).summary.phase != .connected {
            try await Task.sleep(for: .milliseconds(5))
        }
        try Data().write(to: URL(fileURLWithPath: folder + "/connected"))
        var number = attempts.lines.count
        while !FileManager.default.fileExists(atPath: folder + "/stop") {
            try attempts.write("\(number)")
            _ = try await agent.send(Array("\(number)".utf8), on: connection, notify: false)
            try stored.write("\(number)")
            number += 1
            while try await agent.status(of: connection).waitingMessages > 8 {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }
}

/// The names of the last messages: older ones don't come again, and all of them would look like a leak.
final class Repeats: Sendable {
    private struct State {
        var names: Set<String> = []
        var order: [String] = []
        var next = 0
    }

    private static let count = 1_000

    private let state = Mutex(State())

    /// - Parameter lines: what was received so far, each line beginning with a name.
    init(_ lines: [String]) {
        for line in lines.suffix(Self.count) { _ = isNew(String(line.prefix { $0 != " " })) }
    }

    /// Whether a name was not among the last ones; from now on it is.
    func isNew(_ name: String) -> Bool {
        state.withLock { state in
            guard state.names.insert(name).inserted else { return false }
            if state.order.count < Self.count {
                state.order.append(name)
            } else {
                state.names.remove(state.order[state.next])
                state.order[state.next] = name
                state.next = (state.next + 1) % Self.count
            }
            return true
        }
    }
}

/// A file of lines that a killed process leaves whole: each is written at once.
final class Notebook: Sendable {
    private let handle: FileHandle
    private let path: String

    init(_ path: String) throws {
        self.path = path
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
    }

    func write(_ line: String) throws { try handle.write(contentsOf: Data((line + "\n").utf8)) }

    var lines: [String] {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
