import BaseKit

/// Devices that only one can have open at a time: whoever opens one waits until the one before in this process has closed it, as when
/// a call goes on while another one is put on hold.
final class DeviceTurns: Sendable {
    /// Those of this process.
    static let shared = DeviceTurns()

    /// The time that one is waited for. Who keeps a device for longer does not mean to close it.
    static let patience: Duration = .seconds(2)

    /// From the opening of a device to its end; ends also when it is let go.
    final class Turn: Sendable {
        private let latch: OpeningLatch

        fileprivate init(_ latch: OpeningLatch) { self.latch = latch }

        deinit { end() }

        /// The device is closed.
        func end() { latch.release() }
    }

    private let last = Lock<[String: OpeningLatch]>([:])

    /// Waits, at most for so long, until the turn before with this device has ended, and begins another one. Blocks.
    func begin(with device: String, waiting time: Duration = patience) -> Turn {
        let latch = OpeningLatch()
        let before = last.withLock { $0.updateValue(latch, forKey: device) }
        _ = before?.wait(within: time)
        return Turn(latch)
    }
}
