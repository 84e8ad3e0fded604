import BaseKit
import MediaRules
import Portal

/// Opens, closes and exchanges the sources behind one inlet, one change after the other.
actor CaptureController {
    /// What a person is to know.
    typealias Notice = @Sendable (MediaNotice) -> Void

    private let kind: FrameKind
    private let inlet: FrameInlet
    private let preview: VideoFeed?
    private let portal: PortalCamera
    private let resolve: @Sendable () async throws -> [Capture.Source]
    private let onNotice: Notice
    private let onUse: @Sendable (MediaDevice?) -> Void

    private var sound: Capture.Sound
    /// Most of a camera's pictures.
    private var size: PictureSize
    private var selection: DeviceSelection?
    private var sources: [Capture.Source] = []
    private var index = 0
    /// Whether the person wants the source open.
    private var isOn = false
    /// The same, but at once and not in its turn.
    private var isWanted = false
    private var hasLooked = false
    private var resolving: Task<Void, Never>?
    private var isClosed = false
    private var current: Opened?
    /// The question to the desktop that stands.
    private var asking: Task<FileDescriptor, any Error>?
    private var openings = 0
    private var changes = ChangeLine()

    private struct Opened {
        var capture: Capture
        var number: Int
        let at = Instant.now
    }

    /// `resolve` lists the sources to go round, also anew when devices come or go; among devices `selection` chooses. Nothing is
    /// opened here. `onUse` tells which device is chosen, whether it is open or not.
    init(
        kind: FrameKind, inlet: FrameInlet, preview: VideoFeed?, selection: DeviceSelection? = nil,
        sound: Capture.Sound = Capture.Sound(), size: PictureSize = CameraQuality.standard.size,
        portal: PortalCamera = PortalCamera(), onNotice: @escaping Notice,
        onUse: @escaping @Sendable (MediaDevice?) -> Void = { _ in },
        resolve: @escaping @Sendable () async throws -> [Capture.Source]
    ) {
        self.kind = kind
        self.inlet = inlet
        self.preview = preview
        self.selection = selection
        self.sound = sound
        self.size = size
        self.portal = portal
        self.onNotice = onNotice
        self.onUse = onUse
        self.resolve = resolve
    }

    /// How many sources there are to go round. Opens none.
    func count() async -> Int {
        await resolveSources()
        return sources.count
    }

    /// Whether there is a source to open. Opens none.
    func hasSource() async -> Bool {
        await resolveSources()
        return source != nil
    }

    /// Opens the source, or closes it: the device is then free for others.
    func setEnabled(_ isEnabled: Bool) async {
        isWanted = isEnabled
        if !isEnabled { asking?.cancel() }
        await then { controller in
            controller.isOn = isEnabled
            if isEnabled { await controller.open() } else { await controller.shut() }
        }
    }

    /// Whether a source is open.
    var isOpen: Bool { current != nil }

    /// Opens the source if it is to be open and is not, as after it had stopped.
    func openAgain() async {
        await then { controller in
            if controller.openings > 0 { await controller.open() }
        }
    }

    /// Goes on to the next source; nothing happens when there is no other, or while it is off.
    func flip() async {
        await then { controller in
            guard controller.sources.count > 1, controller.isOn else { return }
            if controller.selection == nil {
                let before = controller.index
                controller.index = (before + 1) % controller.sources.count
                if await !controller.exchange() { controller.index = before }
            } else if let step = controller.selection?.next() {
                await controller.follow(step)
            }
        }
    }

    /// Changes to a device, or with nil to the standard one; a device that is not there is a notice.
    func select(_ device: MediaDevice?) async {
        await then { controller in
            await controller.resolveSources()
            switch controller.selection?.choose(device) {
            case .other(let step): await controller.follow(step)
            case .missing(let notice): controller.onNotice(.device(notice))
            case .same, nil: await controller.open()
            }
        }
    }

    /// Looks at the devices anew, once they have been looked at. Gives how many there are to go round then; nil: not looked.
    @discardableResult
    func devicesChanged() async -> Int? {
        guard resolving != nil, selection != nil else { return nil }
        await then { controller in
            await controller.resolveSources()
            await controller.findSources()
        }
        return sources.count
    }

    /// A server of devices was started anew: what did not work may work again.
    func serverRestarted() async {
        guard resolving != nil, selection != nil else { return }
        await then { controller in
            controller.selection?.forgive()
            await controller.findSources()
            if controller.openings > 0 { await controller.open() }
        }
    }

    /// Changes what is done with the sound. A microphone that is open is opened anew.
    func setProcessing(_ processing: SoundProcessing) async {
        await then { controller in
            guard processing != controller.sound.processing else { return }
            controller.sound.processing = processing
            guard let current = controller.current, controller.source?.device != nil else { return }
            controller.inlet.beginSwitch()
            controller.current = nil
            await MediaQueue.run { current.capture.close() }
            await controller.open()
        }
    }

    /// Gives larger or smaller pictures. A camera that is open is opened anew.
    func setSize(_ size: PictureSize) async {
        await then { controller in
            guard size != controller.size else { return }
            controller.size = size
            guard let current = controller.current, controller.source?.isCamera == true else { return }
            controller.inlet.beginSwitch()
            controller.current = nil
            // First: many cameras can't be opened twice, and none of them with two sizes.
            await MediaQueue.run { current.capture.close() }
            await controller.open()
        }
    }

    /// Makes the sound louder or quieter, of this source and of those that follow it: 1 is as it comes.
    func setGain(_ factor: Double) async {
        await then { controller in
            controller.sound.gain = factor
            controller.current?.capture.setGain(factor)
        }
    }

    /// Closes the source for good.
    func close() async {
        isClosed = true
        asking?.cancel()
        await then { await $0.shut() }
    }

    /// Runs a change after those that are under way.
    private func then(_ body: @escaping @Sendable (isolated CaptureController) async -> Void) async {
        await changes.begin { await body(self) }.value
    }

    // MARK: Which source

    /// The source to use; nil when there is none.
    private var source: Capture.Source? {
        guard let selection else { return sources.indices.contains(index) ? sources[index] : nil }
        return sources.first { $0.device?.id == selection.current?.id && $0.device != nil }
    }

    /// Lists the sources once; whoever asks meanwhile waits for the same list.
    private func resolveSources() async {
        let task = resolving ?? Task { await findSources() }
        resolving = task
        await task.value
    }

    private func findSources() async {
        do {
            sources = try await resolve()
            if let step = selection?.update(sources.compactMap(\.device)) { await follow(step) }
        } catch {
            onNotice(.failed(Cause(error)))
        }
    }

    private func follow(_ step: DeviceSelection.Step) async {
        // Of a camera that is off a person is told only at first.
        if let notice = step.notice, isOn || !hasLooked { onNotice(.device(notice)) }
        hasLooked = true
        onUse(selection?.current)
        // The first look comes before the first opening.
        guard isOn, !isClosed, openings > 0 else { return }
        let hasOld = current != nil
        guard await !exchange() else { return }
        guard hasOld, let back = selection?.takeBack() else { return await replace() }
        if let notice = back.notice { onNotice(.device(notice)) }
        onUse(back.device)
        if back.device != nil { return await open() }
        await shut()
        await replace()
    }

    // MARK: Opening and closing

    /// Opens the source, or the next device where it can't be opened.
    private func open() async {
        if await !openThis() { await replace() }
    }

    /// Opens the first of the other devices that can be.
    private func replace() async {
        while current == nil, isOn, !isClosed, let step = selection?.replace() {
            onUse(step.device)
            guard step.device != nil else { return await shut() }
            if await openThis() { return tell(step) }
        }
    }

    private func tell(_ step: DeviceSelection.Step) {
        if current != nil, let notice = step.notice { onNotice(.device(notice)) }
    }

    /// Gives false when there is a source and it could not be opened.
    private func openThis() async -> Bool {
        guard current == nil, !isClosed else { return true }
        await resolveSources()
        openings = max(openings, 1)
        guard let source, current == nil, isOn, !isClosed else { return true }
        return await open(source, inPlaceOf: nil)
    }

    /// Opens a source and puts it in another one's place. Gives false when it could not be opened.
    private func open(_ source: Capture.Source, inPlaceOf old: Capture?) async -> Bool {
        do {
            current = try await make(source, takesOver: old != nil)
        } catch is CancellationError {
            return true
        } catch {
            onNotice(.failed(Cause(error)))
            return false
        }
        if let old { await MediaQueue.run { old.close() } }
        return true
    }

    /// Brings what is open in line with what is chosen. Pictures go on from the old source until the new one has its first.
    /// Gives false when the new one could not be opened.
    @discardableResult
    private func exchange() async -> Bool {
        guard let source else {
            await shut()
            return true
        }
        guard let old = current else { return await openThis() }
        inlet.beginSwitch()
        sound.meter?.reset()
        if await MediaQueue.run(giving: { old.capture.retarget(to: source) }) { return true }
        if kind == .audio {
            // One echo canceller at a time can listen to the loudspeaker.
            current = nil
            await MediaQueue.run { old.capture.close() }
            return await openThis()
        }
        return await open(source, inPlaceOf: old.capture)
    }

    private func make(_ source: Capture.Source, takesOver: Bool) async throws -> Opened {
        openings += 1
        let number = openings
        var source = source
        if case .portal = source { source = .remote(try await ask()) }
        let (kind, size, preview, inlet, sound, opened) = (kind, size, preview, inlet, sound, source)
        let onFailure: @Sendable (String) -> Void = { [weak self] message in
            Task { await self?.failed(number, message) }
        }
        let capture = try await MediaQueue.run {
            try Capture(
                opened, kind: kind, size: size, preview: preview, inlet: inlet, sound: sound, takesOver: takesOver,
                onFailure: onFailure)
        }
        return Opened(capture: capture, number: number)
    }

    /// Asks the desktop for the camera. Throws `CancellationError` when it was turned off meanwhile.
    private func ask() async throws -> FileDescriptor {
        guard isWanted, !isClosed else { throw CancellationError() }
        let question = Task { [portal] in try await portal.open() }
        asking = question
        defer { asking = nil }
        let answer = await question.result
        guard !question.isCancelled, !isClosed else { throw CancellationError() }
        return try answer.get()
    }

    /// A source has stopped by itself. A device is opened again, or another one is; what is none stays closed until it is turned on again.
    private func failed(_ number: Int, _ message: String) async {
        await then { controller in
            guard let stopped = controller.current, stopped.number == number else { return }
            let now = Instant.now
            controller.onNotice(.stopped(controller.kind.device, message))
            await controller.shut()
            guard controller.selection != nil else { return }
            try? await Task.sleep(for: DeviceSelection.pause)
            await controller.findSources()
            guard controller.current == nil, controller.isOn,
                let step = controller.selection?.stop(opened: stopped.at, now: now)
            else { return }
            controller.onUse(step.device)
            if await controller.openThis() { controller.tell(step) } else { await controller.replace() }
        }
    }

    private func shut() async {
        guard let capture = current?.capture else { return }
        current = nil
        await MediaQueue.run { capture.close() }
        inlet.forget()
        sound.meter?.reset()
        preview?.show(nil)
    }
}
