/// What of a member's stream an opened frame is.
package struct FramePlace: Sendable, Equatable {
    package var stream: GroupStream
    /// Another number for each key that was given, a higher one for a later one.
    package var generation: Int
    package var counter: UInt32

    package init(stream: GroupStream, generation: Int, counter: UInt32) {
        (self.stream, self.generation, self.counter) = (stream, generation, counter)
    }
}
