/// The devices that a call has chosen.
public struct DevicesInUse: Sendable, Hashable {
    /// The camera; nil when there is none or none is meant, as with the test picture.
    public var camera: MediaDevice?
    /// The microphone, likewise.
    public var microphone: MediaDevice?
    /// The speaker, likewise.
    public var speaker: MediaDevice?

    /// None.
    public init() {}

    /// The device of a kind.
    public subscript(kind: DeviceKind) -> MediaDevice? {
        get {
            switch kind {
            case .camera: camera
            case .microphone: microphone
            case .speaker: speaker
            }
        }
        set {
            switch kind {
            case .camera: camera = newValue
            case .microphone: microphone = newValue
            case .speaker: speaker = newValue
            }
        }
    }
}

extension PeerSession {
    /// Changes camera, microphone or speaker, or with nil to the standard one. Nothing is negotiated anew.
    ///
    /// A camera that is off stays off. A device that is not there is a notice. Where the test picture, a file or nothing is
    /// captured, nothing happens.
    public func select(_ device: MediaDevice?, as kind: DeviceKind) async {
        guard !isClosed else { return }
        switch kind {
        case .camera: await camera.select(device)
        case .microphone: await microphone.select(device)
        case .speaker: await speaker.select(device)
        }
    }

    /// Changes what is done with the microphone's sound.
    public func setSoundProcessing(_ processing: SoundProcessing) async {
        guard !isClosed else { return }
        await microphone.setProcessing(processing)
    }

    /// How loud the microphone is, from 0 to 1, at most 20 times a second; 0 while it is muted. Each use is a new stream.
    public nonisolated func microphoneLevels() -> AsyncStream<Double> { meter.levels() }

    func use(_ device: MediaDevice?, as kind: DeviceKind) {
        guard devicesInUse[kind] != device else { return }
        devicesInUse[kind] = device
        emit.yield(.devicesInUse(devicesInUse))
    }

    /// Tells the three that have devices of every change.
    func followDevices() -> Task<Void, Never> {
        Task { [monitor = DeviceMonitor.shared, emit, camera, microphone, speaker] in
            guard let cameras = try? await monitor.changes(), let microphones = try? await monitor.changes(),
                let speakers = try? await monitor.changes()
            else { return }
            // Each by itself: a camera that hangs must not keep the call from another microphone.
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in cameras {
                        if let count = await camera.devicesChanged() { emit.yield(.cameraCount(count)) }
                    }
                }
                group.addTask { for await _ in microphones { await microphone.devicesChanged() } }
                group.addTask { for await _ in speakers { await speaker.follow() } }
            }
        }
    }

    struct DeviceParts {
        var camera: CaptureController
        var microphone: CaptureController
        var speaker: SpeakerController
        var meter: MicrophoneMeter
    }

    /// Makes what opens devices; opens none.
    static func deviceParts(
        _ configuration: PeerSessionConfiguration, signals: TransportSignals, timeline: Shared<Pipeline>,
        playout: Shared<AudioPlayout?>, camera: FrameInlet, microphone: FrameInlet, preview: VideoFeed
    ) -> DeviceParts {
        let notice: @Sendable (String) -> Void = { signals.send.yield(.notice($0)) }
        let use: @Sendable (DeviceKind) -> @Sendable (MediaDevice?) -> Void = { kind in
            { signals.send.yield(.using(kind, $0)) }
        }
        let (picture, sound) = (SourceChoice(configuration.camera), SourceChoice(configuration.microphone))
        let (monitor, output) = (DeviceMonitor.shared, SourceChoice(configuration.speaker).selection)
        // Without both there is no echo.
        let echo = sound.selection != nil && output != nil ? EchoReference() : nil
        if sound.selection != nil, configuration.soundProcessing != .off, !EchoReference.isAvailable {
            notice(SoundProcessing.isMissing)
        }
        let meter = MicrophoneMeter { signals.send.yield(.microphoneSilent($0)) }
        return DeviceParts(
            camera: CaptureController(
                kind: .video, inlet: camera, preview: preview, selection: picture.selection,
                portal: configuration.portalCamera, onNotice: notice, onUse: use(.camera)
            ) { await MediaQueue.run(giving: { picture.sources(monitor) }) },
            microphone: CaptureController(
                kind: .audio, inlet: microphone, preview: nil, selection: sound.selection,
                sound: Capture.Sound(
                    processing: configuration.soundProcessing, echo: echo, meter: meter, call: timeline),
                onNotice: notice, onUse: use(.microphone)
            ) { await MediaQueue.run(giving: { sound.sources(monitor) }) },
            speaker: SpeakerController(
                .init(timeline: timeline, playout: playout, echo: echo), selection: output,
                latency: configuration.jitterLatency, onNotice: notice, onUse: use(.speaker)
            ) { await MediaQueue.run(giving: { monitor.found(.speaker) }) },
            meter: meter)
    }
}
