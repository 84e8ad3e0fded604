/// Adds up the sound of several programs that come at their own pace: stereo, 48 kHz, 16 bits.
///
/// Each program has a queue; a steady clock takes the same length from all of them. A queue that ran dry is heard again when it
/// has a little in reserve.
package struct SoundMix: Sendable {
    /// Samples in a frame: left and right.
    package static let channels = 2
    /// Frames that a queue must have before it is heard: 40 ms.
    static let reserve = 1_920
    /// Most frames in a queue, 200 ms: what comes faster than the clock loses its oldest.
    static let limit = 9_600

    private struct Queue: Sendable {
        var samples: [Int16] = []
        var isHeard = false
    }

    private var queues: [UInt32: Queue] = [:]

    package init() {}

    /// Whether any program plays.
    package var isEmpty: Bool { queues.isEmpty }

    /// A program begins to play.
    package mutating func add(_ program: UInt32) {
        if queues[program] == nil { queues[program] = Queue() }
    }

    /// A program has ended.
    package mutating func remove(_ program: UInt32) { queues[program] = nil }

    /// Takes what a program plays: whole frames, left and right in turns. What is no whole frame is ignored.
    package mutating func append(_ samples: UnsafeBufferPointer<Int16>, of program: UInt32) {
        guard var queue = queues.removeValue(forKey: program) else { return }
        queue.samples += samples.prefix(samples.count / Self.channels * Self.channels)
        let surplus = queue.samples.count - Self.limit * Self.channels
        if surplus > 0 { queue.samples.removeFirst(surplus) }
        if queue.samples.count >= Self.reserve * Self.channels { queue.isHeard = true }
        queues[program] = queue
    }

    /// The next `frames` of everything together; nil when no program plays.
    package mutating func take(frames: Int) -> [Int16]? {
        guard !queues.isEmpty, frames > 0 else { return nil }
        let count = frames * Self.channels
        var sums = [Int32](repeating: 0, count: count)
        for (program, var queue) in queues where queue.isHeard {
            for (index, sample) in queue.samples.prefix(count).enumerated() { sums[index] += Int32(sample) }
            queue.isHeard = queue.samples.count >= count
            queue.samples.removeFirst(min(count, queue.samples.count))
            queues[program] = queue
        }
        return sums.map { Int16(clamping: $0) }
    }
}
