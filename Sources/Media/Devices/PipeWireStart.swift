import Glibc
import Synchronization

/// GStreamer's device provider for PipeWire from its start on, which is on a thread of its own: it waits without limit for the server's
/// first answer, also for one of a server that has gone meanwhile (PipeWire 0.3.65; docs/devices.md). What never returns costs that
/// thread and the connection, and nobody else waits for it.
final class PipeWireStart: Sendable {
    enum Outcome: Sendable {
        case runs(DeviceProvider)
        /// It could not be made.
        case refused
        /// The server has gone before it answered.
        case lost
    }

    /// The connection, which is the provider's.
    let descriptor: Int32

    private let state = Mutex(State())
    private let latch = OpeningLatch()

    private struct State {
        var outcome: Outcome?
        /// What runs although it was given up: it must not be stopped, nor let go of.
        var late: DeviceProvider?
    }

    /// How long a server may keep whoever wants to know of devices waiting.
    private static let patience = Duration.seconds(3)

    /// Begins. `onOutcome` is called once, `onEnd` when the server has gone, both on threads of their own.
    init(
        _ descriptor: Int32, onChange: @escaping DeviceProvider.Handler,
        onOutcome: @escaping @Sendable (PipeWireStart) -> Void, onEnd: @escaping @Sendable (PipeWireStart) -> Void
    ) {
        self.descriptor = descriptor
        DetachedThread.start { [self] in
            let provider = DeviceProvider("pipewiredeviceprovider", descriptor: descriptor, onChange: onChange)
            finish(provider.map(Outcome.runs) ?? .refused, onOutcome)
        }
        DetachedThread.start { [self] in
            // What is sent is PipeWire's own affair; only its end is waited for.
            var wanted = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&wanted, 1, -1) < 0 {}
            finish(.lost, onOutcome)
            onEnd(self)
        }
    }

    /// What has come of it; nil as long as the server has not answered.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Waits for the outcome, though not for long.
    func wait() { _ = latch.wait(within: Self.patience) }

    /// Ends the connection of a provider that could not be made.
    func close() {
        // Whoever waits for the end has to hear of it.
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }

    private func finish(_ outcome: Outcome, _ tell: @Sendable (PipeWireStart) -> Void) {
        let isFirst = state.withLock { state in
            guard state.outcome != nil else {
                state.outcome = outcome
                return true
            }
            if case .runs(let provider) = outcome { state.late = provider }
            return false
        }
        guard isFirst else { return }
        latch.release()
        tell(self)
    }
}
