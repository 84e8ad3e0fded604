import Agent
import AgentProtocol
import SMP

/// How the connection to a contact fares.
public struct ContactConnection: Sendable, Equatable {
    /// Whether both sides can read each other.
    public let encryption: EncryptionState
    /// Whether the own mailbox for this contact is on its way to another relay.
    public let isMoving: Bool
    /// What was wrong with the last message that came in; nil when nothing was.
    public let problem: IntegrityProblem?
    /// Where this side receives; two while the mailbox moves.
    public let receivingRelays: [RelayUse]
    /// Where the contact receives; nil before they have said so.
    public let sendingRelay: RelayUse?
    /// How many messages wait to be taken by the contact's relay.
    public let waitingMessages: Int

    init(_ status: ConnectionStatus) {
        encryption = EncryptionState(status.synchronisation)
        isMoving = status.rotation != .none
        problem = status.lastIntegrity.flatMap(IntegrityProblem.init)
        receivingRelays = status.receivingRelays.map(RelayUse.init)
        sendingRelay = status.sendingRelay.map(RelayUse.init)
        waitingMessages = status.waitingMessages
    }
}

/// A relay that a contact's messages go through.
public struct RelayUse: Sendable, Equatable {
    /// `smp://FINGERPRINT@HOST:PORT`.
    public var address: String
    /// The agreed SMP version; nil while there is no connection.
    public var smpVersion: Int?

    init(address: String, smpVersion: Int?) {
        self.address = address
        self.smpVersion = smpVersion
    }

    init(_ relay: ConnectionStatus.RelayInUse) {
        self.init(address: relay.address.text, smpVersion: relay.smpVersion.map(Int.init))
    }
}

/// Whether both sides of a connection can read each other.
public enum EncryptionState: String, Sendable {
    /// They can.
    case intact
    /// Something could not be read; a repair may be needed.
    case damaged
    /// Both sides agree on new keys; messages wait.
    case repairing

    init(_ state: RatchetSynchronisation) {
        switch state {
        case .ok: self = .intact
        case .allowed, .required, .outdated: self = .damaged
        case .started, .agreed: self = .repairing
        }
    }
}

/// What numbers and hashes say is wrong with the messages of a contact.
public enum IntegrityProblem: Sendable, Equatable {
    /// So many messages before the last one never came.
    case missing(count: Int64)
    /// An old message came again.
    case repeated
    /// The message before the last one was another one than what came in.
    case altered

    init?(_ integrity: MessageIntegrity) {
        switch integrity {
        case .ok: return nil
        case .skipped(let first, let last): self = .missing(count: last &- first &+ 1)
        case .badID, .duplicate: self = .repeated
        case .badHash: self = .altered
        }
    }
}
