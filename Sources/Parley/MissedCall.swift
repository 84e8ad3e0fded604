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
    /// Whether another call was on.
    public let wasBusy: Bool

    /// Nil for a call that was not missed.
    init?(_ entry: CallLogEntry, contact: Contact) {
        guard entry.direction == .incoming, entry.reason == .missed || entry.reason == .missedWhileBusy else {
            return nil
        }
        id = entry.callID
        self.contact = contact
        media = entry.media
        rang = entry.setup.ringing != nil
        wasBusy = entry.reason == .missedWhileBusy
    }
}
