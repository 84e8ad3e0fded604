import BaseKit
import CGStreamer
import GLibKit
import Glibc
import MediaRules

/// Sends ``Probe``s: has packets of late sent again that the peer did not ask for, as browsers do, by the element that keeps them.
///
/// They are retransmissions (RFC 4588), which every peer that took these takes; one that is not missing is dropped there.
final class ProbeSender: Sendable {
    /// The longest time that a probe may take to leave.
    private static let longest: Duration = .milliseconds(200)
    /// The time within which the last packet has left after it was asked for.
    private static let leaving: Duration = .milliseconds(2)

    private let packets = Lock(ProbePackets())
    private let gate: RetransmissionGate
    private let source: UInt32

    /// Repeats packets of `source` through `gate`.
    init(source: UInt32, gate: RetransmissionGate) { (self.source, self.gate) = (source, gate) }

    /// Watches what leaves by a pad behind the payloader.
    func listen(at pad: Pad) {
        pad.onPackets { [weak self] _, packet in
            guard packet.count >= 12 else { return }
            let (number, now) = (UInt16(truncatingIfNeeded: packet.word(at: 0)), Instant.now)
            self?.packets.withLock { $0.sent(sequenceNumber: number, size: packet.count, now: now) }
        }
    }

    /// Sends one, on a thread of its own; then tells from when to when it left, or that it could not.
    func send(_ probe: Probe, then report: @escaping @Sendable ((from: Instant, to: Instant)?) -> Void) {
        let chosen = packets.withLock { $0.chosen(for: probe, now: .now) }
        guard !chosen.isEmpty, gate.canRepeat else { return report(nil) }
        let isStarted = DetachedThread.start { [gate, source] in
            let from = Instant.now
            var bytes = 0
            for packet in chosen {
                let wait = from + probe.moment(behind: bytes) - .now
                if wait > .zero { usleep(UInt32(wait.wholeMicroseconds)) }
                guard .now - from < Self.longest, gate.repeats(packet.sequenceNumber, of: source) else { break }
                bytes += packet.size
            }
            report(bytes > 0 ? (from, .now + Self.leaving) : nil)
        }
        if !isStarted { report(nil) }
    }
}
