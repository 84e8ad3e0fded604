import Agent
import Calling
import Logging
import Synchronization

/// Keeps the invitations that are not settled in the agent's sealed store. What is written is what holds in that moment, whoever
/// writes it, so that no earlier state takes the place of a later one.
final class InvitationKeeper: InvitationKeepingPort {
    /// There are others than before; for one reader.
    let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let agent: Agent
    private let logger = Logger(label: "im.parley.account")
    private let state = Mutex(State())

    private struct State {
        var invitations: [KeptInvitation] = []
        /// How often they have changed, and up to which change they are on disk.
        var (changeCount, storedCount) = (0, 0)
        var failureCount = 0
        /// Whether another attempt is due.
        var isWaiting = false
    }

    /// One attempt to write.
    struct Draft: Sendable {
        let value: ApplicationValue
        fileprivate let written: Written
    }

    /// Up to which change an attempt has written.
    fileprivate final class Written: Sendable {
        let changeCount = Mutex(0)
    }

    private static let name = "invitations"
    /// How long a store that failed is left alone.
    private static let pause: Duration = .seconds(2)

    init(agent: Agent) {
        self.agent = agent
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Those of now, oldest first.
    var invitations: [KeptInvitation] { state.withLock { $0.invitations } }

    /// How often the store did not take them.
    var failureCount: Int { state.withLock { $0.failureCount } }

    func keep(_ invitations: [KeptInvitation]) {
        state.withLock { state in
            state.invitations = invitations
            state.changeCount += 1
        }
        continuation.yield()
    }

    /// What a former process has kept, none where that can't be read; nil when there is nothing. It stays on disk until ``takeOver()``.
    func restored() async -> [KeptInvitation]? {
        do {
            guard let bytes = try await agent.applicationData(Self.name) else { return nil }
            return try InvitationBook(decoding: bytes).invitations
        } catch {
            logger.error("The invitations that were kept can't be read: \(error)")
            return []
        }
    }

    /// What holds now takes the place of what a former process has kept.
    func takeOver() {
        state.withLock { $0.changeCount += 1 }
        continuation.yield()
    }

    /// What is to be written together with something else; nil when everything is on disk.
    func draft() -> Draft? {
        guard state.withLock({ $0.changeCount != $0.storedCount }) else { return nil }
        let written = Written()
        let value = ApplicationValue(Self.name) { [self] in
            let (invitations, changeCount) = state.withLock { ($0.invitations, $0.changeCount) }
            written.changeCount.withLock { $0 = changeCount }
            return invitations.isEmpty ? nil : InvitationBook(invitations).encoded()
        }
        return Draft(value: value, written: written)
    }

    /// What became of an attempt. One that failed is counted, logged and made again later.
    func settle(_ draft: Draft, isStored: Bool) {
        let changeCount = draft.written.changeCount.withLock { $0 }
        let isNews = state.withLock { state in
            if isStored {
                state.storedCount = max(state.storedCount, changeCount)
                return false
            }
            state.failureCount += 1
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        guard isNews else { return }
        logger.error("Invitations to calls could not be kept")
        Task { [weak self] in
            try? await Task.sleep(for: Self.pause)
            self?.tryAgain()
        }
    }

    private func tryAgain() {
        state.withLock { $0.isWaiting = false }
        continuation.yield()
    }

    /// Writes what is not on disk yet.
    func store() async {
        guard let draft = draft() else { return }
        settle(draft, isStored: (try? await agent.setApplicationData(draft.value)) != nil)
    }

    func finish() { continuation.finish() }
}
