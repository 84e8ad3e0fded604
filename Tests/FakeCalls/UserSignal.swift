import Dispatch
import Glibc

/// SIGUSR1, by which a test says when something is to happen.
@MainActor final class UserSignal {
    private let source: any DispatchSourceSignal
    private let signals: AsyncStream<Void>

    init() {
        signal(SIGUSR1, SIG_IGN)
        let (signals, channel) = AsyncStream<Void>.makeStream()
        self.signals = signals
        source = Self.source(channel)
        source.activate()
    }

    /// Waits for the next one; one that came before counts.
    func wait() async {
        for await _ in signals { return }
    }

    /// Its handler runs on a thread of Dispatch's.
    nonisolated private static func source(_ channel: AsyncStream<Void>.Continuation) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
        source.setEventHandler { channel.yield() }
        return source
    }
}
