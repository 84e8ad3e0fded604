import BaseKit

/// The keys of one member of a group call, for opening its frames: the present epoch's and those before for a while.
///
/// Not `Sendable`: it holds cipher contexts for one thread at a time.
struct MemberKeys {
    /// How many steps ahead of the last known one a frame's may be.
    static let mostSteps: UInt8 = 16
    /// How long a key that another one has followed still opens.
    static let overlap: Duration = .seconds(5)
    /// How many epochs, and how many steps of one, are kept: somebody who changes keys without end must not fill memory.
    private static let mostKept = 4
    /// On how many ways at once frames of one epoch are told from replays.
    private static let mostWays = 8

    /// The cipher of a step; with an end once another one has followed.
    private struct Step {
        var cipher: GroupFrameCipher
        var end: Instant?
    }

    private struct Epoch {
        /// The key of the last step of which an authentic frame came, or which was given.
        var key: GroupFrameKey
        var steps: [Step]
        /// A higher number than that of any given before.
        let generation: Int
        /// What came by any way, by stream.
        var windows = Epoch.noWindows
        /// What came by each way.
        var ways: [Int: [ReplayWindow]] = [:]
        var end: Instant?

        private static let noWindows = [ReplayWindow](repeating: ReplayWindow(), count: GroupStream.allCases.count)

        /// Whether a frame may be accepted on a way: it has not come by it, and is not far behind what came by any.
        func admits(_ counter: UInt32, of stream: Int, by way: Int) -> Bool {
            !windows[stream].isBehind(counter) && (ways[way]?[stream].admits(counter) ?? true)
        }

        /// An authentic frame came by a way.
        mutating func accept(_ counter: UInt32, of stream: Int, by way: Int) {
            windows[stream].accept(counter)
            // The oldest has the lowest number.
            if ways[way] == nil, ways.count >= MemberKeys.mostWays, let oldest = ways.keys.min() { ways[oldest] = nil }
            ways[way, default: Epoch.noWindows][stream].accept(counter)
        }

        /// The secret has been hashed on.
        mutating func follow(_ key: GroupFrameKey, by cipher: GroupFrameCipher, now: Instant) {
            self.key = key
            for index in steps.indices where steps[index].end == nil { steps[index].end = now + MemberKeys.overlap }
            steps.append(Step(cipher: cipher))
            if steps.count > MemberKeys.mostKept { steps.removeFirst() }
        }
    }

    private let member: UInt8
    private let call: [UInt8]
    /// The present one is the last.
    private var epochs: [Epoch] = []

    init(member: UInt8, call: [UInt8]) { (self.member, self.call) = (member, call) }

    /// The epoch and step that are known last.
    var newest: (epoch: UInt8, step: UInt8)? { epochs.last.map { ($0.key.epoch, $0.key.step) } }

    /// The member has given a key. One that is known, or from which a known one follows, changes nothing.
    /// `generation` is a higher number with each call.
    mutating func give(_ key: GroupFrameKey, generation: Int = 0, now: Instant) throws(GroupFrameError) {
        expire(now: now)
        let step = Step(cipher: try GroupFrameCipher(key, member: member, call: call))
        if let epoch = epochs.firstIndex(where: { $0.key.isOfOneChain(with: key, in: call) }) {
            if key.step > epochs[epoch].key.step { epochs[epoch].follow(key, by: step.cipher, now: now) }
            return
        }
        // After a crash a member begins anew, perhaps with a number it has had.
        epochs.removeAll { $0.key.epoch == key.epoch }
        if let last = epochs.indices.last { epochs[last].end = now + Self.overlap }
        epochs.append(Epoch(key: key, steps: [step], generation: generation))
        if epochs.count > Self.mostKept { epochs.removeFirst() }
    }

    /// Writes the plain frame to `output`, which has as many bytes as the frame without what sealing adds.
    ///
    /// On each `way` a frame opens once. A frame that this throws for leaves everything as it was.
    mutating func open(
        _ frame: UnsafeRawBufferPointer, _ trailer: GroupFrameTrailer, by way: Int = 0,
        into output: UnsafeMutableRawBufferPointer, now: Instant
    ) throws(GroupFrameError) -> FramePlace {
        guard trailer.member == member else { throw .foreignMember }
        guard let index = epochs.lastIndex(where: { $0.key.epoch == trailer.epoch && $0.end.isAhead(of: now) }) else {
            throw .unknownKey
        }
        let stream = Int(trailer.stream.rawValue)
        guard epochs[index].admits(trailer.counter, of: stream, by: way) else { throw .replayed }
        if let step = epochs[index].steps.first(where: { $0.cipher.step == trailer.step && $0.end.isAhead(of: now) }) {
            try step.cipher.open(frame, trailer, into: output)
        } else {
            try openAhead(frame, trailer, into: output, epoch: index, now: now)
        }
        epochs[index].accept(trailer.counter, of: stream, by: way)
        return FramePlace(
            stream: trailer.stream, generation: epochs[index].generation, counter: trailer.counter)
    }

    /// The member has hashed its secret on, as an authentic frame shows, and nothing else.
    private mutating func openAhead(
        _ frame: UnsafeRawBufferPointer, _ trailer: GroupFrameTrailer, into output: UnsafeMutableRawBufferPointer,
        epoch: Int, now: Instant
    ) throws(GroupFrameError) {
        let known = epochs[epoch].key
        guard trailer.step > known.step, trailer.step - known.step <= Self.mostSteps else { throw .foreignStep }
        let key = try known.advanced(to: trailer.step, in: call)
        let cipher = try GroupFrameCipher(key, member: member, call: call)
        try cipher.open(frame, trailer, into: output)
        epochs[epoch].follow(key, by: cipher, now: now)
    }

    /// Forgets the keys whose time is over.
    mutating func expire(now: Instant) {
        epochs.removeAll { !$0.end.isAhead(of: now) }
        for index in epochs.indices { epochs[index].steps.removeAll { !$0.end.isAhead(of: now) } }
    }
}

extension Instant? {
    /// Whether an end has not come yet, or there is none.
    fileprivate func isAhead(of now: Instant) -> Bool { map { now < $0 } ?? true }
}
