/// What is done with the one message a relay has delivered on a receive queue, until it is acknowledged.
///
/// Pure. Knows nothing of content: only that a message is taken once, offered to the application once in a run, and
/// acknowledged to the relay when it is finished (Agent fact sheet §8). What a delivery changes here is kept only if the
/// transaction that stores the message is: otherwise the message stays with the relay and comes again.
struct ReceptionMachine: Equatable, Sendable {
    /// What the store knows of a delivered message by its relay's id.
    enum Record: Equatable, Sendable {
        /// Never seen.
        case unknown
        /// Stored under this number; the application has not acknowledged it.
        case waiting(Int64)
        /// Finished; the relay did not get or did not answer the acknowledgement.
        case finished
    }

    /// What becomes of a delivery.
    enum Delivery: Equatable, Sendable {
        /// It is new: open it, store the outcome, then call `processed`.
        case process
        /// It is known: this is left to do.
        case known([Action])
    }

    /// What is to be told the application or the relay.
    enum Action: Equatable, Sendable {
        /// Offer the stored message to the application.
        case offer(Int64)
        /// Send ACK with the relay's id.
        case acknowledge([UInt8])
    }

    /// The outcome of `Delivery.process`.
    enum Outcome: Equatable, Sendable {
        /// Nothing is left to do with it.
        case finished
        /// Stored under this number for the application.
        case waiting(Int64)
    }

    private enum State: Equatable {
        case idle
        case processing([UInt8])
        case offered([UInt8], Int64)
    }

    private var state = State.idle
    private var offered: Set<Int64> = []

    /// A queue on which nothing has been delivered.
    init() {}

    /// The relay delivered a message, for the first time or again.
    mutating func delivered(_ relayID: [UInt8], _ record: Record) -> Delivery {
        if case .processing(relayID) = state { return .known([]) }
        switch record {
        case .unknown:
            state = .processing(relayID)
            return .process
        case .waiting(let number):
            state = .offered(relayID, number)
            return .known(offer(number))
        case .finished:
            // A late repeat of an earlier message leaves the present one as it is.
            if case .offered(let present, _) = state, present != relayID { return .known([.acknowledge(relayID)]) }
            state = .idle
            return .known([.acknowledge(relayID)])
        }
    }

    /// The delivered message was opened and its outcome is stored.
    mutating func processed(_ relayID: [UInt8], _ outcome: Outcome) -> [Action] {
        guard case .processing(relayID) = state else { return [] }
        switch outcome {
        case .finished:
            state = .idle
            return [.acknowledge(relayID)]
        case .waiting(let number):
            state = .offered(relayID, number)
            return offer(number)
        }
    }

    /// A message kept by the store from an earlier run is offered before the relay delivers it again.
    mutating func restored(_ number: Int64) -> [Action] {
        offer(number)
    }

    /// The application is done with a message; the store has recorded that already.
    mutating func acknowledged(_ number: Int64) -> [Action] {
        offered.remove(number)
        guard case .offered(let relayID, number) = state else { return [] }
        state = .idle
        return [.acknowledge(relayID)]
    }

    private mutating func offer(_ number: Int64) -> [Action] {
        offered.insert(number).inserted ? [.offer(number)] : []
    }
}
