/// The counters of the frames that one member seals, a stream each.
///
/// They run on for as long as the member is in the call, whatever becomes of encoders and keys: no key ever meets one of them twice.
package struct GroupFrameCounters: Sendable, Equatable {
    private var used: [UInt64]

    package init() { used = [UInt64](repeating: 0, count: GroupStream.allCases.count) }

    /// Begins with a stream that has used so many.
    init(used: UInt64, of stream: GroupStream) {
        self.init()
        self.used[Int(stream.rawValue)] = used
    }

    /// The counter for the next frame of a stream. Throws ``GroupFrameError/exhausted`` when all have been used.
    package mutating func next(of stream: GroupStream) throws(GroupFrameError) -> UInt32 {
        guard let counter = UInt32(exactly: used[Int(stream.rawValue)]) else { throw .exhausted }
        used[Int(stream.rawValue)] += 1
        return counter
    }
}
