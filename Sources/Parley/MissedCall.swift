import Calling
import Signaling

/// A call that came and that nobody here took.
public struct MissedCall: Sendable, Equatable, Identifiable {
    /// The call.
    public let id: CallID
    /// Who called.
    public let contact: Contact
    /// What they wanted.
    public let media: CallMedia
    /// Whether it rang here, so that whoever showed it has told of its end.
    public let rang: Bool
    /// Why it did not ring, if the caller was told that the person is busy; nil otherwise.
    public let hindrance: Hindrance?

    /// Why a caller was told that the person is busy.
    public enum Hindrance: Sendable, Hashable {
        /// The person was in other calls.
        case otherCalls
        /// The person took no calls.
        case busyMode
    }

    /// Nil for a call that was not missed.
    init?(_ entry: CallLogEntry, contact: Contact) {
        guard entry.direction == .incoming else { return nil }
        switch entry.reason {
        case .missed: hindrance = nil
        case .missedWhileBusy: hindrance = .otherCalls
        case .missedInBusyMode: hindrance = .busyMode
        default: return nil
        }
        id = entry.callID
        self.contact = contact
        media = entry.media
        rang = entry.setup.ringing != nil
    }
}
