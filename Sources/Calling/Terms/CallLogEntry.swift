import Signaling

/// What remains of a call. It is made only when the call is over; unfinished calls are never written anywhere.
public struct CallLogEntry: Sendable, Hashable {
    /// The call.
    public let callID: CallID
    /// Who it was with.
    public let contact: ContactID
    /// Who began it.
    public let direction: CallDirection
    /// What it carried, or should have carried.
    public let media: CallMedia
    /// When it began, in seconds since 1970.
    public let startedAt: Int64
    /// How long it was on; nil if it never was.
    public let duration: Duration?
    /// Why it is over.
    public let reason: CallEndReason
    /// When the steps of its beginning were reached.
    public let setup: SetupTimeline

    /// Makes an entry.
    public init(
        callID: CallID, contact: ContactID, direction: CallDirection, media: CallMedia, startedAt: Int64,
        duration: Duration?, reason: CallEndReason, setup: SetupTimeline
    ) {
        self.callID = callID
        self.contact = contact
        self.direction = direction
        self.media = media
        self.startedAt = startedAt
        self.duration = duration
        self.reason = reason
        self.setup = setup
    }
}
