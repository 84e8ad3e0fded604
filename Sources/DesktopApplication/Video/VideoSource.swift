/// A stream of pictures of which only the newest matters.
package protocol VideoSource: AnyObject, Sendable {
    /// The newest picture, if there has been one.
    func latest() -> (any VideoPicture)?
    /// Sets who is told, on any thread, that there is a newer picture; nil for nobody.
    func setHandler(_ handler: (@Sendable () -> Void)?)
    /// Says in how many pixels of the screen the pictures are shown.
    func setShownSize(_ size: ShownSize)
}

extension VideoSource {
    /// Of no interest to most sources.
    package func setShownSize(_ size: ShownSize) {}
}

/// In how many pixels of the screen pictures are shown.
package enum ShownSize: Sendable, Hashable {
    /// It is not known yet.
    case unknown
    /// In none: nobody sees them.
    case hidden
    case pixels(width: Int, height: Int)
}

/// One picture in memory: blue, green, red and full opacity, a byte each, rows of `stride` bytes.
package protocol VideoPicture: AnyObject, Sendable {
    /// Pixels in a row.
    var width: Int { get }
    /// Rows.
    var height: Int { get }
    /// Bytes from one row to the next.
    var stride: Int { get }
    /// Lends the pixels. They stay in place, unchanged, as long as this object lives, so a texture that keeps the object may
    /// keep the address too.
    func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}
