import BaseKit
import MediaRules

/// Plays the sounds around calls, one at a time: the ring and the tones. What a call itself sounds like is not its affair.
///
/// Its methods return at once, on whichever thread; what they ask for is done elsewhere.
public final class SoundPlayer: Sendable {
    /// What goes wrong, for one reader, such as a file that can't be played; a slow reader misses some.
    public let notices: AsyncStream<MediaNotice>

    private let monitor: DeviceMonitor
    private let telling: AsyncStream<MediaNotice>.Continuation
    private let current = Lock<SoundPlaying?>(nil)

    /// A player at this machine's loudspeakers. Opens nothing.
    public convenience init() { self.init(.shared) }

    init(_ monitor: DeviceMonitor) {
        self.monitor = monitor
        (notices, telling) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10))
    }

    deinit {
        stop()
        telling.finish()
    }

    /// Plays a sound in place of the one that is played now.
    public func play(_ request: SoundRequest) {
        let next = SoundPlaying(request, monitor: monitor) { [telling] in telling.yield($0) }
        replace(with: next)
        Task { await next.run() }
    }

    /// Makes what is played louder or quieter; see ``SoundRequest/volume``.
    public func setVolume(_ volume: Double) { current.withLock { $0 }?.setVolume(volume) }

    /// Ends what is played: within 0.2 seconds nothing is heard any more.
    public func stop() { replace(with: nil) }

    private func replace(with next: SoundPlaying?) {
        let last = current.withLock { current in
            defer { current = next }
            return current
        }
        last?.stop()
    }
}
