import MediaRules

/// Shows a camera outside of calls, because the person asked for it: opens it, keeps and sends nothing.
public actor CameraTest {
    /// The newest picture, small; nothing once the test is closed.
    public nonisolated let picture = VideoFeed()
    /// What the person is to know, such as that there is no camera, for one reader; ends when the test is closed.
    public nonisolated let notices: AsyncStream<MediaNotice>

    private let controller: CaptureController
    private let telling: AsyncStream<MediaNotice>.Continuation
    private var following: Task<Void, Never>?
    private var isClosed = false

    /// Prepares a test. Opens nothing.
    public init(_ camera: CameraSource) {
        let (notices, telling) = AsyncStream<MediaNotice>.makeStream(bufferingPolicy: .bufferingNewest(10))
        (self.notices, self.telling) = (notices, telling)
        let choice = SourceChoice(camera)
        let notice: CaptureController.Notice = { telling.yield($0) }
        controller = CaptureController(
            kind: .video, inlet: FrameInlet(), preview: picture, selection: choice.selection,
            size: .vga, onNotice: notice
        ) { await MediaQueue.run(giving: { choice.sources(DeviceMonitor.shared) }) }
    }

    /// Opens the camera, and another one when it goes. Throws ``MediaError`` when GStreamer can't be started.
    public func open() async throws {
        guard !isClosed, following == nil else { return }
        try MediaRuntime.start()
        following = Task { [controller] in
            guard let changes = try? await DeviceMonitor.shared.changes() else { return }
            for await _ in changes { await controller.devicesChanged() }
        }
        await controller.setEnabled(true)
    }

    /// Changes to another camera, or with nil to the standard one.
    public func select(_ device: MediaDevice?) async { await controller.select(device) }

    /// Closes the camera, for good.
    public func close() async {
        isClosed = true
        following?.cancel()
        await controller.close()
        telling.finish()
    }
}
