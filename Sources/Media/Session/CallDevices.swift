import BaseKit
import MediaRules

/// What a call captures with and plays on. Stays as it is while transports come and go.
struct CallDevices: Sendable {
    /// The ways of what is captured to the transport that carries it.
    struct Inlets: Sendable {
        let camera = FrameInlet(keepsLatest: true)
        let microphone = FrameInlet()
        let screen = FrameInlet()
        let screenSound = FrameInlet()
        /// In the voice's place while tones are sent.
        let silence = FrameInlet()

        /// Lets all go where chains begin; where there is none, nowhere.
        func connect(to sources: [MediaSlot: Element], withVoice hasVoice: Bool = true) {
            camera.connect(to: sources[.camera])
            microphone.connect(to: hasVoice ? sources[.microphone] : nil)
            silence.connect(to: hasVoice ? nil : sources[.microphone])
            screen.connect(to: sources[.screen])
            screenSound.connect(to: sources[.screenSound])
        }
    }

    /// What they tell, in order, for one reader.
    let news: AsyncStream<DeviceNews>
    private let send: AsyncStream<DeviceNews>.Continuation
    let inlets: Inlets
    let camera: CaptureController
    let microphone: CaptureController
    let screen: ScreenController
    let speaker: SpeakerController
    let meter: MicrophoneMeter
    /// Whether the system has muted the microphone.
    let mute: MicrophoneMute
    /// The pipeline whose time captured and played sound follows.
    let timeline: Shared<Pipeline>

    /// Makes what opens devices; opens none. `playout` is where transports find the loudspeaker, `preview` shows the camera.
    init(
        _ configuration: PeerSessionConfiguration, inlets: Inlets, playout: Shared<AudioPlayout?>, pipeline: Pipeline,
        preview: VideoFeed
    ) {
        let (news, send) = AsyncStream.makeStream(of: DeviceNews.self)
        (self.news, self.send, self.inlets) = (news, send, inlets)
        let timeline = Shared(pipeline)
        self.timeline = timeline
        let notice: @Sendable (MediaNotice) -> Void = { send.yield(.notice($0)) }
        let use: @Sendable (DeviceKind) -> @Sendable (MediaDevice?) -> Void = { kind in
            { send.yield(.using(kind, $0)) }
        }
        let mute = MicrophoneMute { send.yield(.microphoneMuted($0)) }
        self.mute = mute
        let useMicrophone: @Sendable (MediaDevice?) -> Void = { [tell = use(.microphone)] device in
            tell(device)
            mute.use(device)
        }
        let (picture, sound) = (SourceChoice(configuration.camera), SourceChoice(configuration.microphone))
        let (monitor, output) = (DeviceMonitor.shared, SourceChoice(configuration.speaker).selection)
        // Without both there is no echo.
        let echo = sound.selection != nil && output != nil ? EchoReference() : nil
        if sound.selection != nil, configuration.soundProcessing != .off, !EchoReference.isAvailable {
            notice(.noSoundProcessing)
        }
        let meter = MicrophoneMeter { send.yield(.microphoneSilent($0)) }
        self.meter = meter
        camera = CaptureController(
            kind: .video, inlet: inlets.camera, preview: preview, selection: picture.selection,
            size: configuration.pictures.cameraSize, portal: configuration.portalCamera, onNotice: notice,
            onUse: use(.camera)
        ) { await MediaQueue.run(giving: { picture.sources(monitor) }) }
        microphone = CaptureController(
            kind: .audio, inlet: inlets.microphone, preview: nil, selection: sound.selection,
            sound: Capture.Sound(processing: configuration.soundProcessing, echo: echo, meter: meter, call: timeline),
            onNotice: notice, onUse: useMicrophone
        ) { await MediaQueue.run(giving: { sound.sources(monitor) }) }
        speaker = SpeakerController(
            .init(timeline: timeline, playout: playout, echo: echo), selection: output,
            wait: PlayoutWait(pictures: configuration.jitterLatency), onNotice: notice, onUse: use(.speaker)
        ) { await MediaQueue.run(giving: { monitor.found(.speaker) }) }
        screen = ScreenController(
            choosing: configuration.screens, onChange: { send.yield(.screen($0)) }, onNotice: notice)
    }

    /// Tells the three that have devices of every change, until it is cancelled.
    func follow() async {
        let monitor = DeviceMonitor.shared
        guard let cameras = try? await monitor.changes(), let microphones = try? await monitor.changes(),
            let speakers = try? await monitor.changes(), let restarts = try? await monitor.serverRestarts()
        else { return }
        // Each by itself: a camera that hangs must not keep the call from another microphone.
        await withTaskGroup(of: Void.self) { [camera, microphone, speaker, send] group in
            group.addTask {
                for await _ in cameras {
                    if let count = await camera.devicesChanged() { send.yield(.cameraCount(count)) }
                }
            }
            group.addTask { for await _ in microphones { await microphone.devicesChanged() } }
            group.addTask { for await _ in speakers { await speaker.follow() } }
            group.addTask {
                for await _ in restarts {
                    async let cameraKnows: Void = camera.serverRestarted()
                    async let microphoneKnows: Void = microphone.serverRestarted()
                    async let speakerKnows: Void = speaker.serverRestarted()
                    _ = await (cameraKnows, microphoneKnows, speakerKnows)
                }
            }
        }
    }

    /// Opens the devices of one kind, or closes them.
    func setEnabled(_ isEnabled: Bool, _ kind: DeviceKind) async {
        switch kind {
        case .camera: await camera.setEnabled(isEnabled)
        case .microphone: await microphone.setEnabled(isEnabled)
        case .speaker: await speaker.setEnabled(isEnabled)
        }
    }

    /// The kinds of which one is open now.
    var open: Set<DeviceKind> {
        get async {
            var kinds: Set<DeviceKind> = []
            if await camera.isOpen { kinds.insert(.camera) }
            if await microphone.isOpen { kinds.insert(.microphone) }
            if await speaker.isOpen { kinds.insert(.speaker) }
            return kinds
        }
    }

    /// Nothing is told any more, and nothing that is captured goes anywhere.
    func silence() {
        inlets.connect(to: [:])
        send.finish()
        meter.finish()
    }

    /// Closes all.
    func close() async {
        // At the same time: one that hangs, or asks, must not keep the others open.
        async let cameraIsClosed: Void = camera.close()
        async let microphoneIsClosed: Void = microphone.close()
        async let screenIsClosed: Void = screen.close()
        async let speakerIsClosed: Void = speaker.close()
        async let muteIsClosed: Void = mute.close()
        _ = await (cameraIsClosed, microphoneIsClosed, screenIsClosed, speakerIsClosed, muteIsClosed)
    }
}

extension ReceiveChains.Outlets {
    /// Where the frames of a call's peer go: to its feeds and the loudspeaker, or back.
    init(
        _ configuration: PeerSessionConfiguration, feed: VideoFeed, screen: VideoFeed, inlets: CallDevices.Inlets,
        voice: VoiceMeter, speaker: Shared<AudioPlayout?>
    ) {
        self.init(speaker: speaker)
        self.voice = voice
        self.screen = screen
        if configuration.camera == .echo { videoTap = inlets.camera } else { video = feed }
        if configuration.microphone == .echo { audioTap = inlets.microphone }
    }
}
