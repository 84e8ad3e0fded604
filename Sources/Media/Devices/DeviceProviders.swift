import Dispatch
import Foundation
import GLibKit

/// GStreamer's device providers for what calls need, each started once its server is there, and anew when the server was
/// restarted.
///
/// Not by `GstDeviceMonitor`, which can only start and stop all of them: PipeWire's must not be stopped. It says that it runs
/// also when it could not connect, and stopping it while it is connected corrupted memory (GStreamer 1.22, PipeWire 0.3.65;
/// docs/devices.md). So its socket is connected to here first; when the server goes, the provider is left alone for good, and
/// the next server gets another one. Nor does its start ever return when the server goes meanwhile: ``PipeWireStart``.
///
/// Unchecked: everything is touched on `queue` only.
final class DeviceProviders: @unchecked Sendable {
    /// The times after which servers are looked for again, one after the other, when one of them came or went.
    private static let pauses: [Duration] = [20, 100, 400, 1_500, 4_000].map { .milliseconds($0) }

    private let queue: DispatchQueue
    private let onChange: @Sendable () -> Void
    private var cameras: DeviceProvider?
    private var pulse: (provider: DeviceProvider, watch: SoundServerWatch)?
    private var pipeWire: (provider: DeviceProvider, start: PipeWireStart)?
    /// PipeWire's provider whose server has not answered yet.
    private var pipeWireStart: PipeWireStart?
    /// Providers of servers that have gone. Their connections stay open, so that no other gets their numbers.
    private var abandoned: [(provider: DeviceProvider?, start: PipeWireStart)] = []
    private var sockets: SocketWatch?
    private var attempts = 0
    /// Before this PulseAudio is not tried again.
    private var nextPulse = DispatchTime.now()
    /// Before this PipeWire is not tried again, and how often in a row it went before it answered: each time costs a thread for good.
    private var nextPipeWire = DispatchTime.now()
    private var losses = 0
    private static let pausesAfterLoss: [Duration] = [.milliseconds(200), .seconds(1), .seconds(10), .seconds(60)]

    /// Starts nothing yet. Everything else is to be called on `queue`; `onChange` is called on any thread when a device, or all
    /// of a server, came or went.
    init(queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.onChange = onChange
        sockets = SocketWatch(queue: queue) { [weak self] in self?.startSoon() }
    }

    /// Starts those that do not run, where their server is there by now. Blocks for about 20 ms, and for some seconds where a server does
    /// not answer. Gives whether one began to run.
    @discardableResult
    func start() -> Bool {
        let places = ServerSockets(environment: ProcessInfo.processInfo.environment)
        // Before anything is tried, so that nothing appears unnoticed.
        var missing = pipeWire == nil ? places.pipeWire : []
        if pulse == nil, let path = places.pulse { missing.append(path) }
        sockets?.watch(missing)
        var hasBegun = false
        if cameras == nil {
            cameras = DeviceProvider("v4l2deviceprovider", onChange: onChange)
            hasBegun = cameras != nil
        }
        if pulse == nil, startPulse() { hasBegun = true }
        if pipeWire == nil, startPipeWire(places.pipeWire) { hasBegun = true }
        return hasBegun
    }

    /// What those that run know now.
    var devices: [Object] { [cameras, pulse?.provider, pipeWire?.provider].flatMap { $0?.devices ?? [] } }

    private func startPulse() -> Bool {
        // One that did not answer keeps everybody waiting: not again at once.
        guard DispatchTime.now() >= nextPulse else { return false }
        let begin = DispatchTime.now()
        defer { if pulse == nil, .now() > begin + 1 { waitForPulse() } }
        guard let watch = SoundServerWatch(onLoss: { [weak self] in self?.onQueue { $0.losePulse() } }),
            let provider = DeviceProvider("pulsedeviceprovider", onChange: onChange)
        else { return false }
        pulse = (provider, watch)
        return true
    }

    /// It is there and did not answer: it may be starting, or hang.
    private func waitForPulse() {
        nextPulse = .now() + .seconds(5)
        queue.asyncAfter(deadline: nextPulse) { [weak self] in
            if let self, start() { onChange() }
        }
    }

    private func startPipeWire(_ paths: [String]) -> Bool {
        // One that does not answer may do so yet.
        guard pipeWireStart == nil, DispatchTime.now() >= nextPipeWire, let descriptor = Self.connect(to: paths) else {
            return false
        }
        let start = PipeWireStart(
            descriptor, onChange: onChange,
            onOutcome: { [weak self] start in
                self?.onQueue { if $0.settle(start) { $0.onChange() } }
            }, onEnd: { [weak self] start in self?.onQueue { $0.losePipeWire(start) } })
        pipeWireStart = start
        start.wait()
        return settle(start)
    }

    /// Takes up what has come of a start. Gives whether the provider began to run.
    private func settle(_ start: PipeWireStart) -> Bool {
        guard pipeWireStart === start, let outcome = start.outcome else { return false }
        pipeWireStart = nil
        switch outcome {
        case .runs(let provider):
            (pipeWire, losses) = ((provider, start), 0)
            return true
        case .refused: start.close()
        case .lost:
            abandoned.append((nil, start))
            waitForPipeWire()
        }
        return false
    }

    /// It went before it answered: it may be starting anew, or break each time.
    private func waitForPipeWire() {
        let pause = Self.pausesAfterLoss[min(losses, Self.pausesAfterLoss.count - 1)]
        losses += 1
        nextPipeWire = .now() + DispatchTimeInterval(pause)
        queue.asyncAfter(deadline: nextPipeWire) { [weak self] in
            if let self, start() { onChange() }
        }
    }

    /// Connects to the first that listens.
    private static func connect(to paths: [String]) -> Int32? {
        for path in paths { if let descriptor = ServerSockets.connect(to: path) { return descriptor } }
        return nil
    }

    // MARK: Servers that go

    private func onQueue(_ body: @escaping @Sendable (DeviceProviders) -> Void) {
        queue.async { [weak self] in if let self { body(self) } }
    }

    private func losePulse() {
        guard let lost = pulse else { return }
        pulse = nil
        lost.provider.stop()
        restart()
    }

    private func losePipeWire(_ start: PipeWireStart) {
        guard let lost = pipeWire, lost.start === start else { return }
        pipeWire = nil
        abandoned.append((lost.provider, start))
        restart()
    }

    private func restart() {
        onChange()
        startSoon()
    }

    /// Looks for servers now and a few times later: one that has just come may not listen yet.
    private func startSoon() {
        attempts += 1
        attempt(attempts, Self.pauses[...])
    }

    private func attempt(_ number: Int, _ pauses: ArraySlice<Duration>) {
        guard number == attempts else { return }
        if start() { onChange() }
        guard let pause = pauses.first, pulse == nil || pipeWire == nil else { return }
        queue.asyncAfter(deadline: .now() + DispatchTimeInterval(pause)) { [weak self] in
            self?.attempt(number, pauses.dropFirst())
        }
    }
}
