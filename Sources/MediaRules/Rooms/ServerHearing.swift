import BaseKit

/// Whether a forwarding server takes what we send: it reports on that. With nothing to report on it may be silent for as long as it likes.
package struct ServerHearing: Sendable, Equatable {
    static let patience: Duration = .seconds(4), end: Duration = .seconds(8)

    private var sent = 0
    private var packets = 0
    /// Since when frames have been sent without a word from the server.
    private var since: Instant?
    private var isLost = false
    /// Whether nothing has been heard for so long that the way is broken.
    package private(set) var isBroken = false

    package init() {}

    /// Takes how many frames were sent and how many packets came, so far; gives whether it is lost, when that has changed.
    package mutating func update(sent: Int, packets: Int, now: Instant) -> Bool? {
        let (before, sends, speaks) = (isLost, sent > self.sent, packets > self.packets)
        (self.sent, self.packets) = (sent, packets)
        if speaks {
            (since, isLost, isBroken) = (nil, false, false)
        } else if sends, since == nil {
            since = now
        } else if let since, now - since >= Self.patience {
            isLost = true
            isBroken = now - since >= Self.end
        }
        return isLost == before ? nil : isLost
    }
}
