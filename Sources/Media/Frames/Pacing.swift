import BaseKit
import Glibc
import MediaRules
import Synchronization

/// A ``Pacer`` that a payloader waits for on its streaming thread, and that others may set meanwhile.
final class Pacing: Sendable {
    /// The longest single sleep, so that the end of a call is noticed.
    private static let slice: Duration = .milliseconds(20)

    private let pacer: Lock<Pacer?>
    private let drops = Atomic(0)

    /// Without a rate nothing waits.
    init(rate: Int? = nil) { pacer = Lock(rate.map { Pacer(rate: $0) }) }

    /// Bits a second; with nil nothing waits any more.
    func setRate(_ rate: Int?) {
        pacer.withLock { pacer in
            if let rate, pacer != nil {
                pacer?.rate = rate
            } else {
                pacer = rate.map { Pacer(rate: $0) }
            }
        }
    }

    /// Frames that wait are not worth sending any more, up to the next key frame.
    func dropWaiting() { drops.add(1, ordering: .relaxed) }

    /// How often that was said.
    var dropCount: Int { drops.load(ordering: .relaxed) }

    /// Waits until a packet of `size` bytes may leave.
    func wait(forPacketOf size: Int) {
        let now = Instant.now
        guard let delay = pacer.withLock({ $0?.delay(size: size, now: now) }), delay > .zero else { return }
        let due = now + delay
        while pacer.withLock({ $0 != nil }) {
            let rest = due - .now
            guard rest > .zero else { return }
            usleep(UInt32(min(rest, Self.slice).wholeMicroseconds))
        }
    }
}
