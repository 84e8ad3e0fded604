/// One ICE candidate as it travels in signaling.
public struct MediaCandidate: Sendable, Hashable, Codable {
    /// The attribute's text, beginning with `candidate:`.
    public var candidate: String
    /// The m-line's `a=mid`.
    public var mid: String?
    /// The m-line's index.
    public var mLineIndex: Int

    /// A candidate of one m-line.
    public init(candidate: String, mid: String?, mLineIndex: Int) {
        self.candidate = candidate
        self.mid = mid
        self.mLineIndex = mLineIndex
    }
}
