import BaseKit
import MediaRules

/// Measures how long the pictures of a feed wait in queues on their way here.
final class WayDownWatch: Sendable {
    private struct State: Sendable {
        var number: Int?
        var way = WayDown()
    }

    private let state = Lock(State())

    /// The time in queues; nil while it is not known.
    var queue: Duration? { state.withLock { $0.way.queue(now: .now) } }

    /// Packets tell when they left by the extension of this number, or don't.
    func begin(with number: Int?) { state.withLock { $0.number = number } }

    /// A packet came. On a streaming thread.
    func receive(_ packet: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard let number = state.number, let time = SendTime(packet, extension: number) else { return }
            state.way.came(time, now: .now)
        }
    }
}
