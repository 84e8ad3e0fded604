import AgentProtocol

/// The rules by which two sides replace ratchets that don't fit any more.
///
/// Pure; Agent fact sheet §10.
struct SynchronisationMachine: Equatable, Sendable {
    /// What to do with the peer's new keys.
    enum Verdict: Equatable, Sendable {
        /// Make own keys, send them, make the new ratchet.
        case answer
        /// Make the new ratchet with the own keys sent before.
        case conclude
        /// The same, and send the own keys once more: the peer may not know them.
        case concludeAgain
    }

    private(set) var state: RatchetSynchronisation

    /// As stored.
    init(state: RatchetSynchronisation = .ok) {
        self.state = state
    }

    // MARK: Events from the application

    /// The application wants new keys; false when there is no reason to.
    ///
    /// - Parameter force: also without a reason, and in place of keys that are under way: a peer that has lost them, or has forgotten
    ///   that it began, never answers.
    mutating func start(force: Bool = false) -> Bool {
        switch state {
        case .allowed, .required, .outdated: break
        case .ok, .started, .agreed: guard force else { return false }
        }
        state = .started
        return true
    }

    // MARK: Events from the peer

    /// A message of the present ratchet was decrypted; returns the new state if it is another one.
    mutating func decrypted() -> RatchetSynchronisation? {
        switch state {
        case .allowed, .required, .agreed:
            state = .ok
            return state
        // What an earlier copy can still read says nothing of what it may write.
        case .ok, .started, .outdated:
            return nil
        }
    }

    /// A message could not be decrypted; returns the new state if it is another one.
    mutating func failed(_ error: RatchetError) -> RatchetSynchronisation? {
        guard let next = Self.state(after: error) else { return nil }
        switch (state, next) {
        case (.ok, _), (.allowed, .required):
            state = next
            return state
        case (.allowed, _), (.required, _), (.started, _), (.agreed, _), (.outdated, _):
            return nil
        }
    }

    /// New keys of the peer came in that were not seen before.
    ///
    /// - Parameter answersOwn: whether the peer had the own keys when it sent them; nil when it doesn't say.
    mutating func keyReceived(answersOwn: Bool?) -> Verdict {
        switch state {
        case .ok, .allowed, .required, .outdated:
            state = .agreed
            return .answer
        case .started:
            state = .agreed
            // Both have begun at once, or the peer's store went back in time and has lost the keys that it had acknowledged.
            return answersOwn == false ? .concludeAgain : .conclude
        // Agent fact sheet §10 calls this a conflict, after which both sides would wait for each other for good. With the newest keys
        // of both, both make the same ratchet; keys that the peer has seen it ignores.
        case .agreed:
            return answersOwn == true ? .conclude : .concludeAgain
        }
    }

    /// Whether this side starts the new ratchet as an initiator does: receiving first.
    static func receivesFirst(ownHash: [UInt8], peerHash: [UInt8]) -> Bool {
        !peerHash.lexicographicallyPrecedes(ownHash)
    }

    private static func state(after error: RatchetError) -> RatchetSynchronisation? {
        switch error {
        case .authenticationFailed, .earlierMessage: .allowed
        case .header, .tooManySkipped: .required
        case .noSendingChain, .malformed, .duplicateMessage, .messageTooLarge, .invalidKey, .postQuantumRequired,
            .incompatibleVersion, .exhausted, .invalidState:
            nil
        }
    }
}
