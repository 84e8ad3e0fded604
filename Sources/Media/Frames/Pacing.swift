import Glibc
import MediaRules
import Synchronization

/// A ``Pacer`` that a payloader waits for on its streaming thread, and that others may set meanwhile.
final class Pacing: Sendable {
    /// The longest single sleep in microseconds, so that the end of a call is noticed.
    private static let slice: Int64 = 20_000

    private let pacer: Mutex<Pacer?>

    /// Without a rate nothing waits.
    init(rate: Int? = nil) { pacer = Mutex(rate.map { Pacer(rate: $0) }) }

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

    /// Waits until a packet of `size` bytes may leave.
    func wait(forPacketOf size: Int) {
        let now = SteadyClock.microseconds
        guard let delay = pacer.withLock({ $0?.delay(size: size, now: now) }), delay > 0 else { return }
        let due = now + delay
        while pacer.withLock({ $0 != nil }) {
            let rest = due - SteadyClock.microseconds
            guard rest > 0 else { return }
            usleep(UInt32(min(rest, Self.slice)))
        }
    }
}
