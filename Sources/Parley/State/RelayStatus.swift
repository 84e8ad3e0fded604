import Agent
import SMPSession

/// The state of the connection to a relay.
public struct RelayStatus: Sendable, Equatable {
    /// `smp://FINGERPRINT@HOST:PORT`.
    public var address: String
    /// The agreed SMP version; nil while there is no connection.
    public var smpVersion: Int?
    /// Whether own mailboxes are made there; otherwise a contact receives there.
    public var isOwn = true
    /// How many own mailboxes are on it.
    public var queues = 0
    /// Why there is no connection; nil while there is one or it is being made for the first time.
    public var problem: TransportError?

    init(address: String, smpVersion: Int?) {
        self.address = address
        self.smpVersion = smpVersion
    }

    init(_ state: RelayState) {
        self.init(address: state.address.text, smpVersion: state.smpVersion.map(Int.init))
        isOwn = state.isOwn
        queues = state.queues
        problem = state.problem
    }
}
