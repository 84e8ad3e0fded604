import Agent
import BaseKit
import Calling
import Logging

/// Keeps the invitations that are not settled in the agent's sealed store.
final class InvitationKeeper: InvitationKeepingPort {
    /// There are others than before; for one reader.
    let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let agent: Agent
    private let logger = Logger(label: "im.parley.account")
    private let kept = KeptValue<[KeptInvitation]>([], name: InvitationKeeper.name) { invitations in
        invitations.isEmpty ? nil : InvitationBook(invitations).encoded()
    }
    private let failures = Lock(Failures())

    private struct Failures {
        var count = 0
        /// Whether another attempt is due.
        var isWaiting = false
    }

    private static let name = "invitations"
    /// How long a store that failed is left alone.
    private static let pause: Duration = .seconds(2)

    init(agent: Agent) {
        self.agent = agent
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Those of now, oldest first.
    var invitations: [KeptInvitation] { kept.value }

    /// How often the store did not take them.
    var failureCount: Int { failures.withLock { $0.count } }

    func keep(_ invitations: [KeptInvitation]) {
        kept.change { kept in
            kept = invitations
            return true
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
        kept.touch()
        continuation.yield()
    }

    /// What is to be written together with something else; nil when everything is on disk.
    func draft() -> KeptDraft? { kept.draft() }

    /// What became of an attempt. One that failed is counted, logged and made again later.
    func settle(_ draft: KeptDraft, isStored: Bool) {
        guard !isStored else { return kept.settle(draft) }
        let isNews = failures.withLock { failures in
            failures.count += 1
            defer { failures.isWaiting = true }
            return !failures.isWaiting
        }
        guard isNews else { return }
        logger.error("Invitations to calls could not be kept")
        Task { [weak self] in
            try? await Task.sleep(for: Self.pause)
            self?.tryAgain()
        }
    }

    private func tryAgain() {
        failures.withLock { $0.isWaiting = false }
        continuation.yield()
    }

    /// Writes what is not on disk yet.
    func store() async {
        guard let draft = draft() else { return }
        settle(draft, isStored: (try? await agent.setApplicationData(draft.value)) != nil)
    }

    func finish() { continuation.finish() }
}
