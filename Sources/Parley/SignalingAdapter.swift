import Agent
import BaseKit
import Calling
import Signaling

/// Plugs the agent into the calls: a contact is a connection, a call message a chat message on it.
final class SignalingAdapter: CallSignalingPort {
    /// What became of a call message that the agent had taken.
    struct Outcome: Sendable {
        let message: CallMessage
        /// Whether the relay took it; otherwise the agent gave it up.
        let isTaken: Bool
    }

    /// The outcomes, for one reader.
    let outcomes: AsyncStream<Outcome>

    private let agent: Agent
    private let invitations: InvitationKeeper
    private let continuation: AsyncStream<Outcome>.Continuation
    private let state = Lock(State())
    private let settled = Broadcaster<Void>()

    private struct Number: Hashable {
        let connection: ConnectionID
        let message: Int64
    }

    private struct State {
        /// Call messages on their way.
        var pending: [Number: CallMessage] = [:]
        /// Outcomes heard before `send` learnt the message's number, oldest first.
        var early: [(number: Number, isTaken: Bool)] = []
        /// Invitations whose receipt has not come, oldest first.
        var invitations: [(number: Number, call: CallID)] = []
    }

    /// How many early outcomes are kept; those of messages that are no call messages are never asked for.
    private static let earlyLimit = 32

    init(agent: Agent, invitations: InvitationKeeper) {
        self.agent = agent
        self.invitations = invitations
        (outcomes, continuation) = AsyncStream.makeStream()
    }

    func send(_ message: CallMessage, to contact: ContactID) async throws {
        let chat = ChatMessage.identified(.call(message))
        let connection = ConnectionID(rawValue: contact.rawValue)
        let body = try chat.encoded()
        // A contact that knows what became of its invitation must not ring here again.
        await invitations.store()
        let number = Number(
            connection: connection, message: try await agent.send(body, on: connection, notify: message.notifies))
        let early = state.withLock { state -> Bool? in
            if case .invitation(let call, _) = message {
                state.invitations.append((number, call))
                if state.invitations.count > Self.earlyLimit { state.invitations.removeFirst() }
            }
            guard let index = state.early.firstIndex(where: { $0.number == number }) else {
                state.pending[number] = message
                return nil
            }
            return state.early.remove(at: index).isTaken
        }
        if let early { continuation.yield(Outcome(message: message, isTaken: early)) }
    }

    /// The relay took a message of the agent, or the agent gave it up.
    func settle(_ connection: ConnectionID, _ message: Int64, isTaken: Bool) {
        let number = Number(connection: connection, message: message)
        let pending = state.withLock { state -> CallMessage? in
            if let message = state.pending.removeValue(forKey: number) { return message }
            state.early.append((number, isTaken))
            if state.early.count > Self.earlyLimit { state.early.removeFirst() }
            return nil
        }
        guard let pending else { return }
        settled.send(())
        continuation.yield(Outcome(message: pending, isTaken: isTaken))
    }

    /// The call whose invitation a message was; nil when it was none, or the second time.
    func takeInvitation(_ connection: ConnectionID, _ message: Int64) -> CallID? {
        let number = Number(connection: connection, message: message)
        return state.withLock { state in
            guard let index = state.invitations.firstIndex(where: { $0.number == number }) else { return nil }
            return state.invitations.remove(at: index).call
        }
    }

    /// Waits until no call message is on its way to the relay, or the task is cancelled.
    func waitUntilSent() async {
        await settled.wait { state.withLock { $0.pending.isEmpty } }
    }

    func finish() { continuation.finish() }
}

/// Hands finished calls to the account.
final class CallLogAdapter: CallLogPort {
    /// The calls that are over, for one reader.
    let entries: AsyncStream<CallLogEntry>
    private let continuation: AsyncStream<CallLogEntry>.Continuation
    private let pendingCount = Lock(0)
    private let settled = Broadcaster<Void>()

    init() { (entries, continuation) = AsyncStream.makeStream() }

    func record(_ entry: CallLogEntry) async {
        pendingCount.withLock { $0 += 1 }
        continuation.yield(entry)
    }

    /// The reader is done with an entry.
    func handled() {
        pendingCount.withLock { $0 -= 1 }
        settled.send(())
    }

    /// Waits until the reader is done with all entries, or the task is cancelled.
    func waitUntilHandled() async {
        await settled.wait { pendingCount.withLock { $0 == 0 } }
    }

    func finish() { continuation.finish() }
}
