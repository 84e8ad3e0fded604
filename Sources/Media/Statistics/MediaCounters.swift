import BaseKit
import MediaRules

/// Counts kept by elements on streaming threads.
final class MediaCounters: Sendable {
    private struct Counts: Sendable {
        var sent = MediaStatistics.Direction()
        var received = MediaStatistics.Direction()
        var packets = 0
        var refused = 0
    }

    private let counts = Lock(Counts())
    private let total: MediaCounters?
    private let voice = Lock(VoicePause())

    /// Counters at 0; what they count is counted in `total` too.
    init(addingTo total: MediaCounters? = nil) { self.total = total }

    var sent: MediaStatistics.Direction { counts.withLock { $0.sent } }
    var received: MediaStatistics.Direction { counts.withLock { $0.received } }
    /// Packets of any kind from the ICE transport.
    var packets: Int { counts.withLock { $0.packets } }
    /// Those that ``PacketGuard`` dropped.
    var packetsRefused: Int { counts.withLock { $0.refused } }

    func countSent(_ slot: MediaSlot) {
        counts.withLock { $0.sent[slot] += 1 }
        total?.countSent(slot)
    }

    /// Counts a decoded frame, which belongs to this place of the timeline; true when it is the first of its m-line.
    @discardableResult
    func countReceived(_ slot: MediaSlot, at position: Duration? = nil) -> Bool {
        total?.countReceived(slot, at: position)
        if slot == .microphone {
            let now = Instant.now
            voice.withLock { $0.came(at: position, now: now) }
        }
        return counts.withLock {
            $0.received[slot] += 1
            return $0.received[slot] == 1
        }
    }

    /// The longest time since the last question in which nothing of the voice is heard but what the decoder makes up.
    func takeVoicePause() -> Duration {
        let now = Instant.now
        return voice.withLock { $0.take(now: now) }
    }

    func countRejectedSent() {
        counts.withLock { $0.sent.framesRejected += 1 }
        total?.countRejectedSent()
    }

    func countRejectedReceived() {
        counts.withLock { $0.received.framesRejected += 1 }
        total?.countRejectedReceived()
    }

    func countSentTone() {
        counts.withLock { $0.sent.tones += 1 }
        total?.countSentTone()
    }

    func countReceivedTone() {
        counts.withLock { $0.received.tones += 1 }
        total?.countReceivedTone()
    }

    func countHeld() {
        counts.withLock { $0.received.framesHeld += 1 }
        total?.countHeld()
    }

    /// Counts a packet from the ICE transport.
    func countPacket(bytes: Int) {
        counts.withLock {
            $0.packets += 1
            $0.received.bytes += bytes
        }
        total?.countPacket(bytes: bytes)
    }

    /// Counts what goes to the ICE transport.
    func countSent(bytes: Int) {
        counts.withLock { $0.sent.bytes += bytes }
        total?.countSent(bytes: bytes)
    }

    func countRefusedPacket() {
        counts.withLock { $0.refused += 1 }
        total?.countRefusedPacket()
    }

    /// Counts a packet that is not admitted; gives back whether it is.
    func check(_ isAdmitted: Bool) -> Bool {
        if !isAdmitted { countRefusedPacket() }
        return isAdmitted
    }
}

extension MediaStatistics.Direction {
    /// The frames of one m-line.
    fileprivate subscript(slot: MediaSlot) -> Int {
        get {
            switch slot {
            case .microphone: audioFrames
            case .camera: videoFrames
            case .screenSound: screenSoundFrames
            case .screen: screenFrames
            }
        }
        set {
            switch slot {
            case .microphone: audioFrames = newValue
            case .camera: videoFrames = newValue
            case .screenSound: screenSoundFrames = newValue
            case .screen: screenFrames = newValue
            }
        }
    }
}
