import Signaling

/// An effect together with the call it belongs to.
public struct CallAction: Sendable, Equatable {
    /// The call.
    public let callID: CallID
    /// Who the call is with.
    public let contact: ContactID
    /// What is to be done.
    public let effect: CallEffect

    /// Pairs them.
    public init(callID: CallID, contact: ContactID, effect: CallEffect) {
        self.callID = callID
        self.contact = contact
        self.effect = effect
    }
}
