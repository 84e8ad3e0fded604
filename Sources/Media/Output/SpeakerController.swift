import BaseKit
import MediaRules

/// Opens the loudspeaker of a call, exchanges it, and follows devices that come and go.
actor SpeakerController {
    /// The call it plays for.
    struct Call: Sendable {
        /// Whose time the sound follows.
        var timeline: Shared<Pipeline>
        /// Where the transports find the loudspeaker.
        var playout: Shared<AudioPlayout?>
        var echo: EchoReference?
    }

    private let call: Call
    private let resolve: @Sendable () async throws -> [FoundDevice]
    private let onNotice: @Sendable (MediaNotice) -> Void
    private let onUse: @Sendable (MediaDevice?) -> Void

    private var selection: DeviceSelection?
    private var devices: [FoundDevice] = []
    private var wait: PlayoutWait
    private var buffer = SpeakerBuffer(now: .now)
    private var volume = 1.0
    private var volumes: [UInt8: Double] = [:]
    private var current: Opened?
    /// How many times a loudspeaker was opened, or tried.
    private(set) var openings = 0
    private var hasLooked = false
    /// Whether the loudspeaker is to be open.
    private var isOn = true
    private var isClosed = false
    private var changes = ChangeLine()

    private struct Opened {
        var playout: AudioPlayout
        var number: Int
        let at = Instant.now
    }

    /// `selection` is nil where nothing is to be played. `wait` is the call's at first.
    init(
        _ call: Call, selection: DeviceSelection?, wait: PlayoutWait,
        onNotice: @escaping @Sendable (MediaNotice) -> Void,
        onUse: @escaping @Sendable (MediaDevice?) -> Void, resolve: @escaping @Sendable () async throws -> [FoundDevice]
    ) {
        self.call = call
        self.selection = selection
        self.wait = wait
        self.onNotice = onNotice
        self.onUse = onUse
        self.resolve = resolve
    }

    /// Opens the loudspeaker, or looks at the devices anew.
    func follow() async { await then { await $0.look() } }

    /// The server of the loudspeakers was started anew: what did not work may work again.
    func serverRestarted() async {
        await then { controller in
            guard controller.hasLooked else { return }
            controller.selection?.forgive()
            await controller.look()
            await controller.open()
        }
    }

    /// Opens the loudspeaker, or closes it until it is wanted again.
    func setEnabled(_ isEnabled: Bool) async {
        await then { controller in
            controller.isOn = isEnabled
            if isEnabled { await controller.open() } else { await controller.shut() }
        }
    }

    /// How many milliseconds the loudspeaker's buffer has, where it is a sound server's.
    var bufferSize: Int { buffer.size }

    /// Whether the loudspeaker is open.
    var isOpen: Bool { current != nil }

    /// Changes to a loudspeaker, or with nil to the standard one; one that is not there is a notice.
    func select(_ device: MediaDevice?) async {
        await then { controller in
            if !controller.hasLooked { await controller.look() }
            switch controller.selection?.choose(device) {
            case .other(let step): await controller.follow(step)
            case .missing(let notice): controller.onNotice(.device(notice))
            case .same: await controller.open()
            case nil: break
            }
        }
    }

    /// Lets sound wait as long as the call does.
    func setWait(_ wait: PlayoutWait) {
        if wait != self.wait { buffer.settle(now: .now) }
        self.wait = wait
        current?.playout.setWait(wait)
    }

    /// Makes what is played louder or quieter, on this loudspeaker and on those that follow it: 1 is as it comes.
    func setVolume(_ factor: Double) {
        volume = factor
        current?.playout.setVolume(factor)
    }

    /// A sound has ended: the others no longer wait for it.
    func end(_ sound: PlayedSound) { current?.playout.end(sound) }

    /// Makes what one member sends louder or quieter, on this loudspeaker and on those that follow it: 1 is as it comes.
    func setVolume(_ factor: Double, of member: UInt8) {
        volumes[member] = factor
        current?.playout.setVolume(factor, of: member)
    }

    /// Closes the loudspeaker for good.
    func close() async {
        isClosed = true
        call.playout.value = nil
        await then { await $0.shut() }
    }

    /// Runs a change after those that are under way.
    private func then(_ body: @escaping @Sendable (isolated SpeakerController) async -> Void) async {
        await changes.begin { await body(self) }.value
    }

    private func look() async {
        guard selection != nil, !isClosed else { return }
        hasLooked = true
        do {
            devices = try await resolve()
            if let step = selection?.update(devices.map(\.device)) { await follow(step) }
        } catch {
            onNotice(.failed(Cause(error)))
        }
    }

    private func follow(_ step: DeviceSelection.Step) async {
        if let notice = step.notice { onNotice(.device(notice)) }
        onUse(selection?.current)
        guard !isClosed else { return }
        guard let device = chosen else { return await shut() }
        let old = current?.playout
        if let old, await MediaQueue.run(giving: { old.retarget(to: device) }) { return }
        await shut()
        guard await !openThis() else { return }
        guard old != nil, let back = selection?.takeBack() else { return await replace() }
        if let notice = back.notice { onNotice(.device(notice)) }
        onUse(back.device)
        if back.device == nil { await replace() } else { await open() }
    }

    /// The loudspeaker to use; nil when there is none.
    private var chosen: FoundDevice? { devices.first { $0.device.id == selection?.current?.id } }

    /// Opens the loudspeaker, or the next one where it can't be opened.
    private func open() async {
        if await !openThis() { await replace() }
    }

    /// Opens the first of the others that can be.
    private func replace() async {
        while current == nil, isOn, !isClosed, let step = selection?.replace() {
            onUse(step.device)
            guard step.device != nil else { return }
            if await openThis() { return tell(step) }
        }
    }

    private func tell(_ step: DeviceSelection.Step) {
        if current != nil, let notice = step.notice { onNotice(.device(notice)) }
    }

    /// Gives false when there is a loudspeaker and it could not be opened.
    private func openThis() async -> Bool {
        guard current == nil, isOn, !isClosed, let device = chosen else { return true }
        openings += 1
        let (call, wait, size, number) = (call, wait, buffer.size, openings)
        let onFailure: @Sendable (String) -> Void = { [weak self] message in
            Task { await self?.failed(number, message) }
        }
        let onLate: @Sendable (Int) -> Void = { [weak self] ahead in
            Task { await self?.came(ahead: ahead, to: number) }
        }
        do {
            let opened = try await MediaQueue.run {
                try AudioPlayout(
                    device, alongside: call.timeline.value, wait: wait, buffer: size, echo: call.echo,
                    onFailure: onFailure, onLate: onLate)
            }
            guard !isClosed else {
                await MediaQueue.run { opened.close() }
                return true
            }
            current = Opened(playout: opened, number: number)
            buffer.settle(now: .now)
            // It may have changed while the speaker was opened.
            if self.wait != wait { opened.setWait(self.wait) }
            opened.setVolume(volume)
            for (member, factor) in volumes { opened.setVolume(factor, of: member) }
            call.playout.value = opened
            return true
        } catch {
            onNotice(.failed(Cause(error)))
            return false
        }
    }

    /// A loudspeaker has stopped by itself: it is opened again, or another one is.
    private func failed(_ number: Int, _ message: String) async {
        await then { controller in
            guard let stopped = controller.current, stopped.number == number else { return }
            let now = Instant.now
            controller.onNotice(.stopped(.speaker, message))
            await controller.shut()
            try? await Task.sleep(for: DeviceSelection.pause)
            await controller.look()
            guard controller.current == nil, controller.isOn,
                let step = controller.selection?.stop(opened: stopped.at, now: now)
            else { return }
            controller.onUse(step.device)
            if await controller.openThis() { controller.tell(step) } else { await controller.replace() }
        }
    }

    /// A piece of sound came so few milliseconds before it is to be heard. Once that has been often, the loudspeaker is opened anew with a larger
    /// buffer.
    func came(ahead: Int, to number: Int) async {
        guard current?.number == number, buffer.arrived(ahead: ahead, now: .now) != nil else { return }
        await then { controller in
            guard controller.current?.number == number else { return }
            await controller.shut()
            guard await !controller.openThis() else { return }
            // It may not be free at once, which is no reason to take another one.
            try? await Task.sleep(for: DeviceSelection.pause)
            await controller.open()
        }
    }

    private func shut() async {
        guard let old = current?.playout else { return }
        current = nil
        call.playout.value = nil
        await MediaQueue.run { old.close() }
    }
}
