import BaseKit
import MediaRules

/// Looks after the microphone that a call uses: whether the system has muted it.
final class MicrophoneMute: Sendable {
    private struct State {
        var machine = SystemMute()
        var watch: SourceMuteWatch?
        var line = ChangeLine()
        var isClosed = false
    }

    private let state = Lock(State())
    private let onChange: @Sendable (Bool) -> Void

    /// `onChange` is called, on any thread, when the system mutes the microphone and when it no longer does.
    init(onChange: @escaping @Sendable (Bool) -> Void) { self.onChange = onChange }

    /// The call uses another microphone, or with nil none. Returns at once.
    func use(_ device: MediaDevice?) {
        let news = state.withLock { state -> Bool? in
            guard !state.isClosed, let change = state.machine.use(device) else { return nil }
            _ = state.line.begin { [weak self] in await self?.watch(device, change.number) }
            return change.news
        }
        if let news { onChange(news) }
    }

    /// Has the system unmute it, where it can be told so. What becomes of it is told as a change.
    func unmute() async {
        guard let watch = state.withLock({ $0.watch }) else { return }
        await MediaQueue.run { watch.unmute() }
    }

    /// Nothing is told any more.
    func close() async {
        let closing = state.withLock { state in
            state.isClosed = true
            _ = state.machine.use(nil)
            return state.line.begin { [weak self] in await self?.watch(nil, nil) }
        }
        await closing.value
    }

    private func watch(_ device: MediaDevice?, _ number: Int?) async {
        let old = state.withLock { state in
            defer { state.watch = nil }
            return state.watch
        }
        let source = number == nil ? nil : device?.id
        let tell: @Sendable (Bool) -> Void = { [weak self] isMuted in
            if let number { self?.learn(isMuted, of: number) }
        }
        // Ending and making a connection may block.
        let new = await MediaQueue.run(giving: { () -> SourceMuteWatch? in
            old?.close()
            return source.flatMap { SourceMuteWatch(source: $0, onChange: tell) }
        })
        state.withLock { $0.watch = new }
    }

    private func learn(_ isMuted: Bool, of number: Int) {
        if let news = state.withLock({ $0.machine.learn(isMuted, of: number) }) { onChange(news) }
    }
}
