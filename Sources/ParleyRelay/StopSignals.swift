import Dispatch
import Glibc

/// Waits for SIGTERM or SIGINT, from the moment it is made.
final class StopSignals {
    private let stream: AsyncStream<Void>
    /// Does what a signal does.
    let raise: @Sendable () -> Void
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        raise = { continuation.yield() }
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.activate()
            return source
        }
    }

    func wait() async {
        for await _ in stream { return }
    }
}
