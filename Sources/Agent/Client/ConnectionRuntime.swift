import Cryptography
import SMP

/// What an agent keeps in memory for one connection; everything that must survive is in the store.
struct ConnectionRuntime {
    /// The messages on their way out.
    var delivery = DeliveryMachine()
    /// The message on its way in, for each receive queue by its number in the store.
    var receptions: [Int64: ReceptionMachine] = [:]
    /// How soon what comes in is acknowledged, for each receive queue.
    var paces: [Int64: ReceptionPace] = [:]
    /// The relay that messages are sent to.
    var sendRelay: RelayAddress?
    /// Waits until a failed message may be tried again.
    var wake: Task<Void, Never>?
    /// Asks relays for the next step of handshake or deletion.
    var step: Task<Void, Never>?
    /// Whether that task only waits to try again.
    var stepIsWaiting = false

    /// Asks relays for the next step of a queue that moves.
    var rotation: Task<Void, Never>?
    /// A message on the new queue, until the old one is empty.
    var held: HeldMessage?

    /// Ends what runs in the background.
    func cancel() {
        wake?.cancel()
        step?.cancel()
        rotation?.cancel()
    }
}

/// A delivered message that is not taken yet.
struct HeldMessage: Equatable, Sendable {
    var id: MessageID
    var body: [UInt8]
    var queue: ReceiveQueueName
}

/// A receive queue as its relay names it.
struct ReceiveQueueName: Hashable, Sendable {
    var relay: RelayAddress
    var recipientID: EntityID
}

/// Where that queue is in the store.
struct ReceiveQueuePlace {
    var connection: ConnectionID
    var queue: Int64
    /// Signs the recipient's commands.
    var key: AuthenticationPrivateKey
}
