/// The rules by which the recipient moves a queue. Pure; every action may be carried out twice without harm.
struct RotationMachine: Equatable, Sendable {
    /// What relays are to be asked for, once the step is on disk.
    enum RelayStep: Equatable, Sendable {
        /// NEW on another relay. Then `queueCreated`, or `failed`.
        case createQueue
        /// KEY on the new queue. Then `secured`.
        case secure
        /// Wait until the old queue is empty and delete it. Then `drained`.
        case drain
    }

    /// What belongs to the step itself.
    enum Action: Equatable, Sendable {
        /// Have relays asked for something.
        case relay(RelayStep)
        /// Queue `QA`.
        case offer
        /// Queue `QU`.
        case announce
        /// The new queue takes the old one's place; what was held on it is taken.
        case finish

        static let createQueue = Self.relay(.createQueue)
        static let secure = Self.relay(.secure)
        static let drain = Self.relay(.drain)
    }

    private(set) var state: QueueRotation

    /// As stored.
    init(state: QueueRotation = .none) {
        self.state = state
    }

    /// The action under way in this state, for a client that has just started.
    func resume() -> [Action] { relayStep.map { [.relay($0)] } ?? [] }

    /// What relays are being asked for in this state; nil for nothing.
    var relayStep: RelayStep? {
        switch state {
        case .creating: .createQueue
        case .securing: .secure
        case .draining: .drain
        case .none, .offered, .announced: nil
        }
    }

    /// The application wants to move. Nil when a move is under way.
    mutating func start() -> [Action]? {
        guard state == .none else { return nil }
        state = .creating
        return [.createQueue]
    }

    /// The new queue exists.
    mutating func queueCreated() -> [Action] { step(from: .creating, to: .offered, [.offer]) }

    /// No relay makes the new queue: everything stays as it is.
    mutating func failed() {
        if state == .creating { state = .none }
    }

    /// The peer's key for the new queue came in (`QK`).
    mutating func keyReceived() -> [Action] { step(from: .offered, to: .securing, [.secure]) }

    /// The relay has set the peer's key.
    mutating func secured() -> [Action] { step(from: .securing, to: .announced, [.announce]) }

    /// A first message waits on the new queue.
    mutating func newQueueUsed() -> [Action] { step(from: .announced, to: .draining, [.drain]) }

    /// The old queue is empty and gone.
    mutating func drained() -> [Action] { step(from: .draining, to: .none, [.finish]) }

    private mutating func step(from old: QueueRotation, to new: QueueRotation, _ actions: [Action]) -> [Action] {
        guard state == old else { return [] }
        state = new
        return actions
    }
}
