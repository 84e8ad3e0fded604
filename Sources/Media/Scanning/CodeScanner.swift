import MediaRules

/// Looks for QR codes in what a camera sees, because the person asked for it: opens it, shows its picture, tells what codes say, keeps
/// and sends nothing.
public actor CodeScanner {
    /// What is told.
    public enum News: Sendable, Equatable {
        /// A code is seen, and says this; told again as long as it is.
        case found(String)
        /// What the person is to know, such as that there is no camera.
        case notice(MediaNotice)
    }

    /// Looks a second: 14 ms each for a picture of a camera.
    static let rate = 5

    /// What is missing on this machine to read codes; nil where nothing is. ``MediaRuntime/start()`` comes before it.
    public static var missing: MissingElements? { CodeReader.missing }

    /// What happens, for one reader; ends when the scanner is closed. A slow reader misses some.
    public nonisolated let news: AsyncStream<News>
    /// What the camera sees.
    public nonisolated let preview = VideoFeed()

    private let inlet = FrameInlet()
    private let controller: CaptureController
    private let telling: AsyncStream<News>.Continuation
    private var following: Task<Void, Never>?
    private var reader: CodeReader?
    private var isClosed = false

    /// Prepares a scanner. Opens nothing.
    public init(_ camera: CameraSource) {
        let (news, telling) = AsyncStream<News>.makeStream(bufferingPolicy: .bufferingNewest(16))
        (self.news, self.telling) = (news, telling)
        let choice = SourceChoice(camera)
        let notice: CaptureController.Notice = { telling.yield(.notice($0)) }
        controller = CaptureController(
            kind: .video, inlet: inlet, preview: preview, selection: choice.selection,
            size: .vga, onNotice: notice
        ) { await MediaQueue.run(giving: { choice.sources(DeviceMonitor.shared) }) }
    }

    /// Opens the camera, and another one when it goes.
    /// - Throws: ``MediaError``: GStreamer can't be started, or lacks what reads codes.
    public func open() async throws {
        guard !isClosed, following == nil else { return }
        try MediaRuntime.start()
        if let missing = Self.missing { throw MediaError.missingElements(missing) }
        following = Task { [controller] in
            guard let changes = try? await DeviceMonitor.shared.changes() else { return }
            for await _ in changes { await controller.devicesChanged() }
        }
        let made = try await MediaQueue.run { [telling] in
            try CodeReader(rate: Self.rate, onCode: { telling.yield(.found($0.text)) })
        }
        guard !isClosed else { return await MediaQueue.run { made.close() } }
        reader = made
        inlet.connect(to: made.input)
        if await !controller.hasSource() { telling.yield(.notice(.device(.missing(.camera)))) }
        await controller.setEnabled(true)
    }

    /// Closes the camera, for good.
    public func close() async {
        isClosed = true
        following?.cancel()
        await controller.close()
        inlet.connect(to: nil)
        if let reader {
            self.reader = nil
            await MediaQueue.run { reader.close() }
        }
        telling.finish()
    }
}
