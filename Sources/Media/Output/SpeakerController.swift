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
    private var latency: Int
    private var playout: AudioPlayout?
    private var hasLooked = false
    private var isClosed = false
    private var change: Task<Void, Never>?

    /// `selection` is nil where nothing is to be played. `latency` in milliseconds is the call's.
    init(
        _ call: Call, selection: DeviceSelection?, latency: Int, onNotice: @escaping @Sendable (MediaNotice) -> Void,
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
            guard let step = controller.selection?.choose(device) else { return }
            // One that is not there is told only.
            if step.device == before {
                step.notice.map { controller.onNotice(.device($0)) }
            } else {
                await controller.take(step)
            }
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
            if let step = selection?.update(devices.map(\.device)) { await take(step) }
        } catch {
            onNotice(.failed(Cause(error)))
        }
    }

    private func take(_ step: DeviceSelection.Step) async {
        if let notice = step.notice { onNotice(.device(notice)) }
        onUse(selection?.current)
        guard !isClosed else { return }
        guard let device = chosen else { return await shut() }
        if let playout, await MediaQueue.run(giving: { playout.retarget(to: device) }) { return }
        let hasOld = playout != nil
        await shut()
        guard await !open(device), hasOld, let back = selection?.takeBack() else { return }
        if let notice = back.notice { onNotice(.device(notice)) }
        onUse(back.device)
        if let device = chosen { await open(device) }
    }

    /// The loudspeaker to use; nil when there is none.
    private var chosen: FoundDevice? { devices.first { $0.device.id == selection?.current?.id } }

    /// Gives false when it could not be opened.
    @discardableResult
    private func open(_ device: FoundDevice) async -> Bool {
        let (call, opening) = (call, latency)
        let notice = onNotice
        do {
            let opened = try await MediaQueue.run {
                try AudioPlayout(device, alongside: call.timeline.value, latency: opening, echo: call.echo) { message in
                    notice(.stopped(.speaker, message))
                }
            }
            guard !isClosed else {
                await MediaQueue.run { opened.close() }
                return true
            }
            playout = opened
            // It may have changed while the speaker was opened.
            if latency != opening { opened.setLatency(latency) }
            call.playout.value = opened
            return true
        } catch {
            onNotice(.failed(Cause(error)))
            return false
        }
    }

    private func shut() async {
        guard let old = playout else { return }
        playout = nil
        call.playout.value = nil
        await MediaQueue.run { old.close() }
    }
}
