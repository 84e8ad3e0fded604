import BaseKit

/// How large a shared screen is sent: no smaller than the peer shows it, as it is there to be read, and in few sizes, as each other one costs
/// a key frame, which is large.
package struct ScreenSize: Sendable, Equatable {
    /// Most pixels of the smaller sizes, from large to small.
    static let smaller = [1_280 * 800, 640 * 400]
    /// How long the peer has shown it smaller before it is sent so. It is sent larger at once.
    static let patience: Duration = .seconds(3)

    private var view: PictureSize?
    /// Most pixels now.
    private var most = Int.max
    private var tooLargeSince: Instant?

    package init() {}

    /// Nothing is shown of it any more: the next screen begins in full.
    package mutating func end() { self = ScreenSize() }

    /// The peer shows the whole screen in this size from now on; nil: it does not say.
    package mutating func show(_ view: PictureSize?) { self.view = view }

    /// The size in which the next picture of `source` is sent, at `now`.
    package mutating func size(of source: PictureSize, now: Instant) -> PictureSize {
        let enough = view.flatMap { view in Self.smaller.last { $0 >= view.pixels } } ?? .max
        let since = tooLargeSince ?? now
        if enough >= most || now - since >= Self.patience {
            (most, tooLargeSince) = (enough, nil)
        } else {
            tooLargeSince = since
        }
        return source.reduced(to: most)
    }
}
