/// Opens, closes and exchanges the sources behind one inlet, one change after the other.
actor CaptureController {
    private let kind: FrameKind
    private let inlet: FrameInlet
    private let preview: VideoFeed?
    private let resolve: @Sendable () throws(MediaError) -> (sources: [Capture.Source], first: Int)
    private let onNotice: @Sendable (String) -> Void

    private var sources: [Capture.Source] = []
    private var index = 0
    private var resolving: Task<Void, Never>?
    private var isClosed = false
    private var current: Capture?
    private var change: Task<Void, Never>?

    /// `resolve` lists the sources to go round; it may block. Nothing is opened here.
    init(
        kind: FrameKind, inlet: FrameInlet, preview: VideoFeed?, onNotice: @escaping @Sendable (String) -> Void,
        resolve: @escaping @Sendable () throws(MediaError) -> (sources: [Capture.Source], first: Int)
    ) {
        self.kind = kind
        self.inlet = inlet
        self.preview = preview
        self.onNotice = onNotice
        self.resolve = resolve
    }

    /// How many sources there are to go round. Opens none.
    func count() async -> Int {
        await resolveSources()
        return sources.count
    }

    /// Opens the source, or closes it: the device is then free for others.
    func setEnabled(_ isEnabled: Bool) async {
        await then { isEnabled ? await $0.open() : await $0.shut() }
    }

    /// Goes on to the next source; nothing happens when there is no other.
    func flip() async {
        await then { controller in
            guard controller.sources.count > 1, controller.current != nil else { return }
            await controller.shut()
            controller.index = (controller.index + 1) % controller.sources.count
            await controller.open()
        }
    }

    /// Closes the source for good.
    func close() async {
        isClosed = true
        await then { await $0.shut() }
    }

    /// Runs a change after those that are under way.
    private func then(_ body: @escaping @Sendable (isolated CaptureController) async -> Void) async {
        let previous = change
        let next = Task {
            await previous?.value
            await body(self)
        }
        change = next
        await next.value
    }

    /// Lists the sources once; whoever asks meanwhile waits for the same list.
    private func resolveSources() async {
        let task = resolving ?? Task { await findSources() }
        resolving = task
        await task.value
    }

    private func findSources() async {
        do {
            let resolve = resolve
            let found = try await MediaQueue.run { try resolve() }
            sources = found.sources
            index = found.first
        } catch {
            onNotice("\(error)")
        }
    }

    private func open() async {
        guard current == nil, !isClosed else { return }
        await resolveSources()
        guard sources.indices.contains(index), !isClosed else { return }
        let source = sources[index]
        let (kind, preview, inlet, onFailure) = (kind, preview, inlet, failureHandler())
        do {
            current = try await MediaQueue.run {
                try Capture(source, kind: kind, preview: preview, inlet: inlet, onFailure: onFailure)
            }
        } catch {
            onNotice("\(error)")
        }
    }

    private func failureHandler() -> @Sendable (String) -> Void {
        { [weak self, kind, onNotice] message in
            onNotice("The \(kind == .video ? "camera" : "microphone") stopped: \(message)")
            Task { await self?.setEnabled(false) }
        }
    }

    private func shut() async {
        guard let capture = current else { return }
        current = nil
        await MediaQueue.run { capture.close() }
        preview?.show(nil)
    }
}
