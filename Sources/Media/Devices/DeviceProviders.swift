import BaseKit
import Dispatch
import Foundation

/// What knows of devices: GStreamer's provider for V4L2, PipeWire's registry and the sound server. Each is started once its server is
/// there, and anew when the server was restarted.
///
/// Not by `GstDeviceMonitor`, which would use GStreamer's providers of the servers, too (docs/devices.md).
///
/// Unchecked: everything is touched on `queue` only.
final class DeviceProviders: @unchecked Sendable {
    /// The times after which servers are looked for again, one after the other, when one of them came or went.
    private static let pauses: [Duration] = [20, 100, 400, 1_500, 4_000].map { .milliseconds($0) }

    private let queue: DispatchQueue
    private let onChange: @Sendable () -> Void
    private var cameras: DeviceProvider?
    private var pulse: SoundServerDevices?
    private var pipeWire: (registry: PipeWireRegistry, socket: String)?
    /// How many of each there were: what is told of an earlier one does not count.
    private var (pulseCount, pipeWireCount) = (0, 0)
    /// How often one was there after another attempt or an earlier one.
    private(set) var restarts = 0
    private var sockets: SocketWatch?
    private var attempts = 0
    /// Before this PulseAudio is not tried again.
    private var nextPulse = Instant.now
    /// Before this PipeWire is not tried again, and how often in a row it went before it answered.
    private var nextPipeWire = Instant.now
    private var losses = 0
    private static let pausesAfterLoss: [Duration] = [.milliseconds(200), .seconds(1), .seconds(10), .seconds(60)]

    /// One that took longer and did not answer is not asked again at once, but after this pause.
    private static let patience = Duration.seconds(1)
    private static let pauseAfterSilence = Duration.seconds(5)

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
    var devices: [ListedDevice] {
        var devices = (cameras?.devices ?? []).compactMap(ListedDevice.init)
        if let pulse { devices += pulse.devices.map(ListedDevice.init) }
        if let pipeWire { devices += pipeWire.registry.devices.map { ListedDevice($0, socket: pipeWire.socket) } }
        return devices
    }

    private func startPulse() -> Bool {
        // One that did not answer keeps everybody waiting: not again at once.
        guard Instant.now >= nextPulse else { return false }
        let begin = Instant.now
        defer { if pulse == nil, Instant.now > begin + Self.patience { waitForPulse() } }
        pulseCount += 1
        let number = pulseCount
        pulse = SoundServerDevices(
            onChange: onChange, onLoss: { [weak self] in self?.onQueue { $0.losePulse(number) } })
        if pulse != nil, number > 1 { restarts += 1 }
        return pulse != nil
    }

    /// It is there and did not answer: it may be starting, or hang.
    private func waitForPulse() {
        nextPulse = Instant.now + Self.pauseAfterSilence
        start(in: Self.pauseAfterSilence)
    }

    private func startPipeWire(_ paths: [String]) -> Bool {
        guard Instant.now >= nextPipeWire, let (descriptor, socket) = Self.connect(to: paths) else {
            return false
        }
        pipeWireCount += 1
        let number = pipeWireCount
        guard
            let registry = PipeWireRegistry(
                adopting: descriptor, onChange: onChange,
                onLoss: { [weak self] in self?.onQueue { $0.losePipeWire(number) } })
        else { return false }
        pipeWire = (registry, socket)
        // One that does not answer may do so yet.
        guard registry.wait() else { return false }
        if number > 1 { restarts += 1 }
        losses = 0
        return true
    }

    /// Connects to the first that listens.
    private static func connect(to paths: [String]) -> (descriptor: Int32, path: String)? {
        for path in paths { if let descriptor = ServerSockets.connect(to: path) { return (descriptor, path) } }
        return nil
    }

    // MARK: Servers that go

    private func onQueue(_ body: @escaping @Sendable (DeviceProviders) -> Void) {
        queue.async { [weak self] in if let self { body(self) } }
    }

    private func losePulse(_ number: Int) {
        guard let lost = pulse, number == pulseCount else { return }
        pulse = nil
        lost.close()
        restart()
    }

    private func losePipeWire(_ number: Int) {
        guard let lost = pipeWire, number == pipeWireCount else { return }
        pipeWire = nil
        lost.registry.close()
        if lost.registry.hasAnswered { restart() } else { waitForPipeWire() }
    }

    /// It went before it answered: it may be starting anew, or break each time.
    private func waitForPipeWire() {
        let pause = Self.pausesAfterLoss[min(losses, Self.pausesAfterLoss.count - 1)]
        losses += 1
        nextPipeWire = Instant.now + pause
        start(in: pause)
    }

    private func start(in pause: Duration) {
        queue.asyncAfter(deadline: .now() + DispatchTimeInterval(pause)) { [weak self] in
            if let self, start() { onChange() }
        }
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
