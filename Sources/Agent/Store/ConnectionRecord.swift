import Cryptography

/// One connection as stored.
struct ConnectionRecord: Equatable, Sendable {
    var id: ConnectionID
    var role: HandshakeMachine.Role
    var state: HandshakeMachine.State
    /// The agreed agent version; own maximum while no peer is known.
    var agentVersion: UInt16
    /// Whether it is a contact address: one queue that anybody may send requests to, and nothing else.
    var isAddress = false
    /// Whether the application has deleted it and only the relays have not been told.
    var isDeleting = false
    /// Milliseconds since 1970.
    var createdAt: Int64
    /// Own X3DH keys until the ratchet exists.
    var agreementKeys: SecretBytes?
    /// The ratchet, skipped message keys included.
    var ratchet: SecretBytes?
    /// Message numbers and hashes of both directions.
    var chains: [UInt8]?
    /// What the own confirmation will say, until it is on its way.
    var ownInformation: [UInt8]?
    /// What the peer's confirmation said, until the application has answered.
    var peerInformation: [UInt8]?
    /// The verdict on the last numbered message that came in.
    var integrity: [UInt8]?
    /// Whether the ratchets of both sides fit.
    var synchronisation = RatchetSynchronisation.ok
    /// How far the own queue is on its way to another relay.
    var rotation = QueueRotation.none
    /// Own keys for a new ratchet, until the peer's have come.
    var synchronisationKeys: SecretBytes?
    /// Hashes of the peer's ratchet keys that were dealt with, 32 bytes each, oldest first.
    var seenRatchetKeys: [UInt8]?
}

/// A queue this side receives on.
struct ReceiveQueueRecord: Equatable, Sendable {
    /// Given by the store.
    var id: Int64 = 0
    var connection: ConnectionID
    /// Whether the queue is in messaging mode.
    var isFast: Bool
    /// Whether it takes the place of another one that is still in use.
    var isCandidate = false
    /// The relay's address as text, password included if it has one.
    var relay: String
    var recipientID: [UInt8]
    var senderID: [UInt8]
    /// Ed25519 seed of the recipient's key.
    var authenticationKey: SecretBytes
    /// Secret between this side and the relay for messages on their way to here.
    var deliverySecret: SecretBytes
    /// X25519 private key of the queue; its public half is in the link or in the confirmation.
    var queueKey: SecretBytes
    /// Secret with the sender, from its first message on.
    var queueSecret: SecretBytes?
    /// The sender's public key, DER, when this side has to set it (classic handshake).
    var peerAuthenticationKey: [UInt8]?
    /// The short link that leads here, as text.
    var shortLink: String?
    /// Ed25519 seed of the key that signs the short link's data.
    var linkKey: SecretBytes?
}

/// A queue this side sends to.
struct SendQueueRecord: Equatable, Sendable {
    /// Given by the store.
    var id: Int64 = 0
    var connection: ConnectionID
    /// Whether the queue is in messaging mode.
    var isFast: Bool
    /// The agreed SMP client version.
    var clientVersion: UInt16
    /// Whether the peer has offered it and not yet said that it is ready (queue rotation).
    var isCandidate = false
    /// The relay's address as text.
    var relay: String
    var senderID: [UInt8]
    /// Ed25519 seed of the sender's key.
    var authenticationKey: SecretBytes
    /// X25519 private key of this side for the queue.
    var queueKey: SecretBytes
    /// Secret with the recipient.
    var queueSecret: SecretBytes
}

/// A message that has to leave.
struct OutgoingRecord: Equatable, Sendable {
    /// What kind of agent message it is. Raw values are stored.
    enum Kind: Int, Equatable, Sendable {
        case confirmation = 1
        case hello = 2
        case application = 3
        /// `QC`: the peer may continue; the body is the encoded address of the drained queue.
        case quotaContinue = 4
        /// An encoded aMessage of the queue rotation (`QK`, `QT`).
        case queueRotation = 5
        /// `V`: messages came in; the body is the encoded aMessage.
        case receipt = 6
        /// The own keys of a new ratchet; the body is their public halves.
        case ratchetKey = 7
        /// `E`: the new ratchet is ready; the body is the encoded aMessage.
        case ratchetReady = 8
        /// A request to a contact address; the body is the application's information.
        case request = 9

        /// The same for the delivery rules.
        var deliveryKind: DeliveryMachine.Kind {
            switch self {
            case .confirmation, .request: .confirmation
            case .hello: .hello
            case .ratchetKey, .ratchetReady: .ratchetKey
            case .application, .quotaContinue, .queueRotation, .receipt: .message
            }
        }
    }

    /// Given by the store; also the order of sending.
    var id: Int64 = 0
    var connection: ConnectionID
    var kind: Kind
    /// The SEND flag: wake the peer.
    var notify: Bool
    /// Milliseconds since 1970.
    var createdAt: Int64
    var body: [UInt8]
    /// The agent envelope once the ratchet has encrypted it: every attempt repeats these bytes.
    var envelope: [UInt8]?
}

/// A message that came in: what is left to be acknowledged, or the mark that it was dealt with.
struct ReceivedRecord: Equatable, Sendable {
    /// Given by the store; the number the application acknowledges.
    var id: Int64 = 0
    var connection: ConnectionID
    var receiveQueue: Int64
    /// Milliseconds since 1970, by the own clock.
    var receivedAt: Int64
    /// Seconds since 1970, by the relay's clock.
    var brokerTime: Int64
    var isAcknowledged: Bool
    var integrity: [UInt8]?
    var body: [UInt8]?
    /// The encoded receipt, if the application wants one to be sent.
    var receipt: [UInt8]?
}
