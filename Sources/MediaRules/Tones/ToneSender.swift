/// Puts tones in the place of packets of the voice, one packet of a tone for one of the voice (RFC 4733 §2.5.1).
///
/// The stream goes on with its sequence numbers and its clock; nothing else needs a clock. Times are in units of 1/48,000 s.
package struct ToneSender: Sendable, Equatable {
    /// How long a tone is, how long nothing follows, and how long a pause is.
    static let length: UInt32 = 4_800, gap: UInt32 = 4_800, pause: UInt32 = 96_000
    /// What a packet of the voice holds.
    static let packet: UInt32 = 960
    /// How often the last packet of a tone is sent (RFC 4733 §2.5.1.4).
    static let endings = 3

    /// What a packet is replaced by.
    package struct Output: Sendable, Equatable {
        package var event: ToneEvent
        /// When the tone began: the same in all its packets.
        package var timestamp: UInt32
        /// Whether it is the first of its tone.
        package var isFirst: Bool
    }

    private enum Phase: Sendable, Equatable {
        case idle
        case sounding(Tone, since: UInt32)
        /// The last packet is sent so often still.
        case ending(Output, left: Int)
        /// Nothing is to be heard for so long since a time.
        case silent(since: UInt32, length: UInt32)
    }

    private var waiting: [ToneSequence.Step] = []
    private var phase = Phase.idle
    /// Silence goes before the first tone: of what the other side hears last, its decoder makes up what it takes for lost.
    private var needsSilence = true

    package init() {}

    /// Whether nothing is left to be sent.
    package var isDone: Bool { waiting.isEmpty && phase == .idle }

    /// Adds tones behind those that wait; false when they are too many together.
    package mutating func add(_ sequence: ToneSequence) -> Bool {
        if isDone { needsSilence = true }
        guard waiting.count + sequence.steps.count <= ToneSequence.longest else { return false }
        waiting += sequence.steps
        return true
    }

    /// Looks at the next packet of the voice, with its time stamp. Gives what takes its place; with nil it goes as it is.
    package mutating func next(timestamp: UInt32) -> Output? {
        if case .silent(let since, let length) = phase, Self.elapsed(from: since, to: timestamp) >= length {
            phase = .idle
        }
        if phase == .idle { begin(timestamp) }
        switch phase {
        case .idle, .silent: return nil
        case .sounding(let tone, let since):
            let elapsed = Self.elapsed(from: since, to: timestamp)
            let duration = UInt16(clamping: elapsed + Self.packet)
            let isEnd = duration >= Self.length
            let output = Output(
                event: ToneEvent(event: tone.event, isEnd: isEnd, duration: duration), timestamp: since,
                isFirst: elapsed == 0)
            if isEnd { phase = .ending(output.repeated, left: Self.endings - 1) }
            return output
        case .ending(let output, let left):
            if left > 1 {
                phase = .ending(output, left: left - 1)
            } else {
                phase = .silent(since: output.timestamp &+ UInt32(output.event.duration), length: Self.gap)
            }
            return output
        }
    }

    private mutating func begin(_ timestamp: UInt32) {
        guard !waiting.isEmpty else { return }
        guard !needsSilence else {
            needsSilence = false
            phase = .silent(since: timestamp, length: Self.gap)
            return
        }
        switch waiting.removeFirst() {
        case .tone(let tone): phase = .sounding(tone, since: timestamp)
        case .pause: phase = .silent(since: timestamp, length: Self.pause)
        }
    }

    /// Time stamps begin again at 0 after the last; one that goes back counts as the same.
    private static func elapsed(from: UInt32, to: UInt32) -> UInt32 {
        let difference = to &- from
        return difference < 1 << 31 ? difference : 0
    }
}

extension ToneSender.Output {
    fileprivate var repeated: Self {
        var copy = self
        copy.isFirst = false
        return copy
    }
}
