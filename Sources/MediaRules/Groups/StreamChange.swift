/// Notices that the frames of one way come from another stream than before, such as from smaller pictures: frames of one say nothing
/// about the pictures of the other, so that a key frame has to come first.
package struct StreamChange: Sendable, Equatable {
    private let admitted: Set<GroupStream>
    private var current: GroupStream?

    /// Takes frames of these streams.
    package init(admitting admitted: Set<GroupStream>) { self.admitted = admitted }

    /// Takes the next frame's stream; whether it is another one than before. Throws ``GroupFrameError/foreignStream``.
    package mutating func follow(_ stream: GroupStream) throws(GroupFrameError) -> Bool {
        guard admitted.contains(stream) else { throw .foreignStream }
        defer { current = stream }
        return current.map { $0 != stream } ?? false
    }
}
