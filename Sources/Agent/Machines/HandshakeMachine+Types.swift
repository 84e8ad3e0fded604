extension HandshakeMachine {
    /// Which end of the link this side holds.
    enum Role: Int, Equatable, Sendable {
        /// Published the link.
        case initiator = 0
        /// Opened the link.
        case joiner = 1
    }

    /// Where the handshake stands. Raw values are stored; never reuse one.
    enum State: Int, Equatable, Sendable, CaseIterable {
        /// Initiator: the link is out, nobody has answered.
        case invited = 1
        /// Initiator: the joiner's confirmation is kept, the application has not allowed it yet.
        case confirmed = 2
        /// Initiator: allowed; keys are being set on the relays.
        case allowing = 3
        /// Initiator: asks at a contact address; its own queue is being made.
        case preparingRequest = 4
        /// Initiator: the request to the contact address is queued.
        case requesting = 5
        /// Joiner: its key is being set on the initiator's queue.
        case securing = 10
        /// Joiner: its own queue is being made.
        case preparing = 11
        /// Joiner: the initiator's confirmation has come; its key is being set on the joiner's queue.
        case securingReply = 14
        /// Own confirmation is queued.
        case confirming = 20
        /// Joiner: own confirmation was accepted, the initiator's has not come.
        case awaitingConfirmation = 21
        /// Own HELLO is queued.
        case greeting = 22
        /// The peer's HELLO has not come.
        case awaitingHello = 23
        /// Both sides can send.
        case connected = 30
        /// Given up; said why once.
        case failed = 31
    }

    /// What relays are to be asked for, once the step is on disk.
    enum RelayStep: Equatable, Sendable {
        /// Set keys on relays: `own` is KEY on the own receive queue, `peer` is SKEY on the send queue. Then `secured`.
        case secure(own: Bool, peer: Bool)
        /// NEW on one of the own relays. Then `replyQueueCreated`.
        case createReplyQueue
    }

    /// What belongs to the step itself, in order.
    enum Action: Equatable, Sendable {
        /// Have relays asked for something.
        case relay(RelayStep)
        /// Put the own confirmation first into the send queue. Its end is reported by `confirmationAccepted`.
        case sendConfirmation
        /// Put the request to the contact address into the send queue. Its end is reported by `requestAccepted`.
        case sendRequest
        /// Put HELLO into the send queue. Its end is reported by `helloAccepted`.
        case sendHello
        /// Keep the peer's information and ask the application for `allow`.
        case askApplication
        /// Tell the application the initiator's information.
        case reportInformation
        /// Tell the application that messages flow both ways.
        case reportConnected
        /// Tell the application that this connection will never work.
        case reportFailed(DeliveryFailure)

        static func secure(own: Bool, peer: Bool) -> Self { .relay(.secure(own: own, peer: peer)) }
        static let createReplyQueue = Self.relay(.createReplyQueue)
    }

    /// What to do with a confirmation that came in.
    enum Verdict: Equatable, Sendable {
        case accepted([Action])
        /// A repeat after a lost acknowledgement: acknowledge it, nothing else.
        case duplicate
        /// Not acceptable in this state or mode: acknowledge and report.
        case refused
    }
}
