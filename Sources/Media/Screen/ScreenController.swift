import BaseKit
import MediaRules

/// Shares the screen and stops it: one screen at a time, whoever ends it.
actor ScreenController {
    private let choosing: any ScreenChoosing
    private let onChange: @Sendable (ScreenSharing) -> Void
    private let onNotice: @Sendable (MediaNotice) -> Void

    private(set) var state = ScreenSharing.off
    /// Counts the attempts: what belongs to an earlier one is void.
    private var attempt = 0
    private var asking: Task<ChosenScreen?, any Error>?
    private(set) var running: Running?
    private var isClosed = false

    /// What is open while a screen is shared.
    struct Running {
        var chosen: ChosenScreen?
        var picture: ScreenCapture
        var sound: ScreenSoundCapture?
    }

    /// Nothing is opened here. `onChange` hears every change in order, `onNotice` what the person is to know.
    init(
        choosing: any ScreenChoosing, onChange: @escaping @Sendable (ScreenSharing) -> Void,
        onNotice: @escaping @Sendable (MediaNotice) -> Void
    ) {
        self.choosing = choosing
        self.onChange = onChange
        self.onNotice = onNotice
    }

    /// Begins to share, unless it is shared or asked about already. Returns when it is shared or will not be.
    func start(
        _ source: ScreenSource, content: ScreenContent, sound: ScreenSound, picture: FrameInlet, soundInlet: FrameInlet
    ) async {
        guard state == .off, !isClosed else { return }
        attempt += 1
        let number = attempt
        change(.starting)
        do {
            let chosen = try await choose(source)
            guard number == attempt else {
                await chosen?.close()
                return
            }
            guard source != .portal || chosen != nil else { return change(.off) }
            try await open(
                number, source, content, chosen: chosen, sound: sound, picture: picture, soundInlet: soundInlet)
        } catch {
            guard number == attempt else { return }
            onNotice(.failed(Cause(error)))
            await stop()
        }
    }

    /// Ends sharing, also while the person is still being asked.
    func stop() async {
        attempt += 1
        asking?.cancel()
        asking = nil
        let ended = running
        running = nil
        if state != .off { change(.off) }
        guard let ended else { return }
        await MediaQueue.run {
            ended.picture.close()
            ended.sound?.close()
        }
        await ended.chosen?.close()
    }

    /// Ends sharing for good.
    func close() async {
        isClosed = true
        await stop()
    }

    private func change(_ new: ScreenSharing) {
        state = new
        onChange(new)
    }

    private func choose(_ source: ScreenSource) async throws -> ChosenScreen? {
        guard source == .portal else { return nil }
        let choosing = choosing
        let task = Task<ChosenScreen?, any Error> { try await choosing.choose() }
        asking = task
        return try await task.value
    }

    private func open(
        _ number: Int, _ source: ScreenSource, _ content: ScreenContent, chosen: ChosenScreen?, sound: ScreenSound,
        picture: FrameInlet, soundInlet: FrameInlet
    ) async throws {
        let captured: ScreenCapture.Source =
            switch source {
            case .portal: .node(descriptor: chosen?.descriptor.number ?? -1, id: chosen?.node ?? 0)
            case .test: .test
            case .file(let path): .file(path)
            }
        let capture: ScreenCapture
        do {
            let onEnd: @Sendable (MediaNotice.ScreenEnd?) -> Void = { [weak self] end in
                Task { await self?.ended(number, end) }
            }
            capture = try await MediaQueue.run {
                try ScreenCapture(captured, content: content, inlet: picture, onEnd: onEnd)
            }
        } catch {
            await chosen?.close()
            throw error
        }
        guard number == attempt else {
            await MediaQueue.run { capture.close() }
            await chosen?.close()
            return
        }
        running = Running(chosen: chosen, picture: capture, sound: nil)
        chosen?.onClosed { [weak self] in Task { await self?.ended(number, nil) } }
        let heard = await open(sound, inlet: soundInlet, number)
        guard number == attempt else {
            if let heard { await MediaQueue.run { heard.close() } }
            return
        }
        running?.sound = heard
        change(.on(withSound: heard != nil))
    }

    /// A screen without its sound is still worth sharing.
    private func open(_ sound: ScreenSound, inlet: FrameInlet, _ number: Int) async -> ScreenSoundCapture? {
        do {
            let onEnd: @Sendable () -> Void = { [weak self] in Task { await self?.soundEnded(number) } }
            return try await MediaQueue.run { try ScreenSoundCapture.open(sound, inlet: inlet, onEnd: onEnd) }
        } catch {
            if number == attempt { onNotice(.failed(Cause(error))) }
            return nil
        }
    }

    private func ended(_ number: Int, _ end: MediaNotice.ScreenEnd?) async {
        guard number == attempt else { return }
        if let end { onNotice(.screenEnded(end)) }
        await stop()
    }

    private func soundEnded(_ number: Int) async {
        guard number == attempt, let sound = running?.sound else { return }
        running?.sound = nil
        change(.on(withSound: false))
        await MediaQueue.run { sound.close() }
    }
}
