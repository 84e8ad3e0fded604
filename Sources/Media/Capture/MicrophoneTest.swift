import MediaRules

/// Listens to a microphone outside of calls, because the person asked for it: opens it, tells how loud it is, keeps and sends
/// nothing.
public actor MicrophoneTest {
    /// What is told.
    public enum Reading: Sendable, Equatable {
        /// How loud it is, from 0 to 1, at most 20 times a second.
        case level(Double)
        /// It gives no sound, or does again.
        case silent(Bool)
        /// What the person is to know, such as that there is no microphone.
        case notice(MediaNotice)
    }

    /// What happens, for one reader; ends when the test is closed. Of levels a slow reader misses some.
    public nonisolated let readings: AsyncStream<Reading>

    private let controller: CaptureController
    private let meter: MicrophoneMeter
    private let telling: AsyncStream<Reading>.Continuation
    private var tasks: [Task<Void, Never>] = []
    private var isClosed = false

    /// Prepares a test. Opens nothing.
    public init(_ microphone: MicrophoneSource) {
        let (readings, telling) = AsyncStream<Reading>.makeStream(bufferingPolicy: .bufferingNewest(100))
        (self.readings, self.telling) = (readings, telling)
        let meter = MicrophoneMeter { telling.yield(.silent($0)) }
        self.meter = meter
        let choice = SourceChoice(microphone)
        let notice: CaptureController.Notice = { telling.yield(.notice($0)) }
        controller = CaptureController(
            kind: .audio, inlet: FrameInlet(), preview: nil, selection: choice.selection,
            sound: Capture.Sound(meter: meter), onNotice: notice
        ) { await MediaQueue.run(giving: { choice.sources(DeviceMonitor.shared) }) }
    }

    /// Opens the microphone, and another one when it goes. Throws ``MediaError`` when GStreamer can't be started.
    public func open() async throws {
        guard !isClosed, tasks.isEmpty else { return }
        try MediaRuntime.start()
        tasks = [
            Task { [meter, telling] in
                for await level in meter.levels() { telling.yield(.level(level)) }
            },
            Task { [controller] in
                guard let changes = try? await DeviceMonitor.shared.changes() else { return }
                for await _ in changes { await controller.devicesChanged() }
            },
        ]
        await controller.setEnabled(true)
    }

    /// Changes to another microphone, or with nil to the standard one.
    public func select(_ device: MediaDevice?) async { await controller.select(device) }

    /// Closes the microphone, for good.
    public func close() async {
        isClosed = true
        for task in tasks { task.cancel() }
        meter.finish()
        await controller.close()
        telling.finish()
    }
}
