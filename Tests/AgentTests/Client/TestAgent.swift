import BaseKit
import Cryptography
import Foundation
import SMP
import SMPTransport
import Testing

@testable import Agent
@testable import SMPSession

/// An agent with a reader that keeps all events, so that a test can wait for one and count them at the end.
actor TestAgent {
    struct TimedOut: Error, CustomStringConvertible {
        var description: String
    }

    nonisolated let agent: Agent
    nonisolated let folder: TemporaryFolder
    private(set) var events: [AgentEvent] = []
    private var reader: Task<Void, Never>?
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private let acknowledges: Bool

    /// - Parameters:
    ///   - acknowledges: whether messages are acknowledged as they come.
    ///   - backoff: how soon relays are dialled again; tests don't wait as long as people.
    ///   - connectTimeout: how long an attempt may take that is in no hurry.
    ///   - commandTimeout: how long an answer may take before the connection is suspected to be dead.
    init(
        _ relays: [RelayAddress], folder: TemporaryFolder = TemporaryFolder(), version: UInt16 = 17,
        acknowledges: Bool = true, starts: Bool = true, routing: PrivateRouting = PrivateRouting(mode: .never),
        backoff: ReconnectBackoff = ReconnectBackoff(
            initial: .milliseconds(20), growAfter: .seconds(1), maximum: .milliseconds(100)),
        connectTimeout: Duration = .seconds(15), commandTimeout: Duration = .seconds(10), store: AgentStore? = nil,
        notePace: NoteSchedule.Pace = NoteSchedule.Pace(), leavesNote: Bool = true
    ) async throws {
        self.folder = folder
        self.acknowledges = acknowledges
        var transport = TransportConfiguration(versions: SMPVersionRange(SMPVersion(rawValue: version)))
        transport.backoff = backoff
        transport.connectTimeout = connectTimeout
        transport.commandTimeout = commandTimeout
        var configuration = AgentConfiguration(
            directory: folder.path, storeKey: testStoreKey, relays: relays, transport: transport)
        configuration.privateRouting = routing
        configuration.leavesNote = leavesNote
        var surroundings = AgentSurroundings.system()
        surroundings.notePace = notePace
        agent = Agent(
            configuration: configuration, surroundings: surroundings,
            store: try store ?? AgentStore(directory: folder.path, key: testStoreKey))
        if starts { await agent.start() }
        reader = Task { [agent] in
            for await event in agent.events { await self.take(event) }
        }
    }

    private func take(_ event: AgentEvent) async {
        events.append(event)
        if acknowledges, case .message(let connection, let message) = event {
            await agent.acknowledge(connection, message: message.id)
        }
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    /// Waits until the events are as wanted. The limit only ends a test that would never end.
    @discardableResult
    func wait<Value: Sendable>(
        _ what: String, _ found: @Sendable ([AgentEvent]) -> Value?
    ) async throws -> Value {
        let alarm = Task {
            try await Task.sleep(for: .seconds(40))
            self.wakeAll()
        }
        defer { alarm.cancel() }
        let deadline = Instant.now + .seconds(39)
        while true {
            if let value = found(events) { return value }
            guard Instant.now < deadline else { throw TimedOut(description: "\(what); got \(summary)") }
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    private func wakeAll() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    private var summary: String { events.map { String("\($0)".prefix(160)) }.joined(separator: "\n") }

    func waitForConfirmation() async throws -> (ConnectionID, [UInt8]) {
        try await wait("a confirmation") { events in
            events.lazy.compactMap { if case .confirmation(let id, let info) = $0 { (id, info) } else { nil } }.first
        }
    }

    func waitUntilConnected(_ connection: ConnectionID) async throws {
        try await wait("connected") { $0.contains(.connected(connection)) ? true : nil }
    }

    func waitForFailure() async throws -> (ConnectionID, Int64?, AgentError) {
        try await wait("a failure") { events in
            events.lazy.compactMap { event in
                if case .failed(let id, let number, let error) = event { (id, number, error) } else { nil }
            }.first
        }
    }

    func waitUntilUp() async throws {
        try await wait("up") { events in events.contains { if case .up = $0 { true } else { false } } ? true : nil }
    }

    /// Waits for so many messages and returns the bodies of all that came.
    @discardableResult
    func waitForMessages(_ count: Int) async throws -> [[UInt8]] {
        try await wait("\(count) messages") { events in
            let bodies = Self.messages(events).map(\.body)
            return bodies.count >= count ? bodies : nil
        }
    }

    var messages: [ReceivedMessage] { Self.messages(events) }

    private static func messages(_ events: [AgentEvent]) -> [ReceivedMessage] {
        events.compactMap { if case .message(_, let message) = $0 { message } else { nil } }
    }

    var failures: [AgentEvent] { events.filter { if case .failed = $0 { true } else { false } } }

    func stop() async {
        await agent.stop()
        await reader?.value
    }
}

/// Connects two agents by an invitation link.
func connect(
    _ initiator: TestAgent, _ joiner: TestAgent, info: [UInt8] = Array("joiner".utf8),
    answer: [UInt8] = Array("initiator".utf8)
) async throws -> (initiator: ConnectionID, joiner: ConnectionID) {
    let (own, link) = try await initiator.agent.makeInvitation()
    let joined = try await joiner.agent.join(link: link, info: info)
    let (confirmed, received) = try await initiator.waitForConfirmation()
    #expect(confirmed == own)
    #expect(received == info)
    try await initiator.agent.allow(own, info: answer)
    try await initiator.waitUntilConnected(own)
    try await joiner.waitUntilConnected(joined)
    return (own, joined)
}

extension TestAgent {
    /// Waits until the store has no trace of a connection.
    nonisolated func waitUntilForgotten(_ connection: ConnectionID) async throws {
        let deadline = Instant.now + .seconds(39)
        while try await agent.isStored(connection) {
            guard Instant.now < deadline else { throw TimedOut(description: "still stored") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

extension Agent {
    /// Whether the store still has the connection, deleted or not.
    func isStored(_ connection: ConnectionID) throws -> Bool {
        try inStore { try $0.connection(connection) } != nil
    }
}
