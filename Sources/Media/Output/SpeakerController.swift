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
    private let onNotice: @Sendable (String) -> Void
    private let onUse: @Sendable (MediaDevice?) -> Void

    private var selection: DeviceSelection?
    private var devices: [FoundDevice] = []
    private var latency: Int
    private var playout: AudioPlayout?
    private var openings = 0
    private var opened = ContinuousClock.now
    /// Whether it was open and stopped by itself.
    private var hasStopped = false
    private var retry = DeviceRetry()
    private var hasLooked = false
    private var isClosed = false
    private var change: Task<Void, Never>?

    /// `selection` is nil where nothing is to be played. `latency` in milliseconds is the call's.
    init(
        _ call: Call, selection: DeviceSelection?, latency: Int, onNotice: @escaping @Sendable (String) -> Void,
        onUse: @escaping @Sendable (MediaDevice?) -> Void, resolve: @escaping @Sendable () async throws -> [FoundDevice]
    ) {
        self.call = call
        self.selection = selection
        self.latency = latency
        self.onNotice = onNotice
        self.onUse = onUse
        self.resolve = resolve
    }

    /// Opens the loudspeaker, or looks at the devices anew.
    func follow() async { await then { await $0.look() } }

    /// Changes to a loudspeaker, or with nil to the standard one; one that is not there is a notice.
    func select(_ device: MediaDevice?) async {
        await then { controller in
            if !controller.hasLooked { await controller.look() }
            let before = controller.selection?.current
            guard let step = controller.selection?.choose(device) else { return await controller.openAgain() }
            // One that is not there is told only.
            if step.device == before { step.notice.map(controller.onNotice) } else { await controller.take(step) }
        }
    }

    /// Follows the call's latency, in milliseconds.
    func setLatency(_ latency: Int) {
        self.latency = latency
        playout?.setLatency(latency)
    }

    /// The screen's sound has ended: the voice no longer waits for it.
    func endScreenSound() { playout?.endScreenSound() }

    /// Closes the loudspeaker for good.
    func close() async {
        isClosed = true
        call.playout.value = nil
        await then { await $0.shut() }
    }

    private func then(_ body: @escaping @Sendable (isolated SpeakerController) async -> Void) async {
        let previous = change
        let next = Task {
            await previous?.value
            await body(self)
        }
        change = next
        await next.value
    }

    private func look() async {
        guard selection != nil, !isClosed else { return }
        hasLooked = true
        do {
            devices = try await resolve()
            if let step = selection?.update(devices.map(\.device)) {
                await take(step)
            } else if hasStopped {
                await openAgain()
            }
        } catch {
            onNotice("\(error)")
        }
    }

    private func take(_ step: DeviceSelection.Step) async {
        if let notice = step.notice { onNotice(notice) }
        onUse(selection?.current)
        guard !isClosed else { return }
        guard let first = chosen else { return await shut() }
        if let playout, await MediaQueue.run(giving: { playout.retarget(to: first) }) { return }
        await shut()
        await openUsable()
    }

    /// Opens the chosen loudspeaker, or as long as there is one that was not tried, another.
    private func openUsable() async {
        while let device = chosen, await !open(device), !isClosed { passOver() }
    }

    /// The chosen loudspeaker can't be used: another one is chosen.
    private func passOver() {
        guard var next = selection?.takeBack() else { return }
        if next.device == nil, let other = selection?.update(devices.map(\.device)) { next = other }
        if let notice = next.notice { onNotice(notice) }
        onUse(next.device)
    }

    /// Opens the chosen loudspeaker if it is not open, as after it had stopped.
    private func openAgain() async {
        if playout == nil, !isClosed, let device = chosen { await open(device) }
    }

    /// The loudspeaker to use; nil when there is none.
    private var chosen: FoundDevice? { devices.first { $0.device.id == selection?.current?.id } }

    /// Gives false when it could not be opened.
    @discardableResult
    private func open(_ device: FoundDevice) async -> Bool {
        openings += 1
        hasStopped = false
        let (call, opening, number) = (call, latency, openings)
        let onFailure: @Sendable (String) -> Void = { [weak self] message in
            Task { await self?.failed(number, message) }
        }
        do {
            let opened = try await MediaQueue.run {
                try AudioPlayout(
                    device, alongside: call.timeline.value, latency: opening, echo: call.echo, onFailure: onFailure)
            }
            guard !isClosed else {
                await MediaQueue.run { opened.close() }
                return true
            }
            (playout, self.opened) = (opened, .now)
            // It may have changed while the speaker was opened.
            if latency != opening { opened.setLatency(latency) }
            call.playout.value = opened
            return true
        } catch {
            onNotice("\(error)")
            return false
        }
    }

    /// The loudspeaker has stopped by itself. One that never worked is passed over. Another is tried once more, as its server may have been
    /// started anew; then it stays closed until it is chosen again.
    private func failed(_ number: Int, _ message: String) async {
        let now = ContinuousClock.now
        await then { controller in
            guard controller.openings == number, controller.playout != nil else { return }
            controller.onNotice("The speaker stopped: \(message)")
            await controller.shut()
            controller.hasStopped = true
            let ran = now - controller.opened
            if ran < DeviceRetry.proof {
                Task { [weak controller] in
                    // Where its server has gone, the devices will be told to be gone first.
                    try? await Task.sleep(for: .seconds(2))
                    await controller?.replaceStopped()
                }
            } else if controller.retry.isDue(ran: ran, now: now) {
                Task { [weak controller] in
                    try? await Task.sleep(for: .seconds(1))
                    await controller?.openStopped()
                }
            }
        }
    }

    private func replaceStopped() async {
        await then { controller in
            guard controller.hasStopped, controller.chosen != nil else { return }
            controller.passOver()
            await controller.openUsable()
        }
    }

    private func openStopped() async { await then { if $0.hasStopped { await $0.openAgain() } } }

    private func shut() async {
        guard let old = playout else { return }
        playout = nil
        call.playout.value = nil
        await MediaQueue.run { old.close() }
    }
}
