import BaseKit

/// Whether what comes from a feed is a member's: if its frames come and no key opens any for some time, it is not.
package struct FeedProof: Sendable, Equatable {
    static let patience: Duration = .seconds(3)
    /// After so long without a frame that nothing opens it begins anew: a few around a change of keys prove nothing.
    static let pause: Duration = .seconds(1)

    private var opened = 0
    private var refused = 0
    private var first: Instant?
    private var last: Instant?

    package init() {}

    /// Takes the counts so far; gives whether the feed is to be closed.
    package mutating func fails(opened: Int, refused: Int, now: Instant) -> Bool {
        defer { (self.opened, self.refused) = (opened, refused) }
        if opened != self.opened || last.map({ now - $0 > Self.pause }) ?? false { (first, last) = (nil, nil) }
        guard opened == self.opened, refused > self.refused else { return false }
        (first, last) = (first ?? now, now)
        return first.map { now - $0 >= Self.patience } ?? false
    }
}
