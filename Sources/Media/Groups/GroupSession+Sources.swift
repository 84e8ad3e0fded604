import MediaRules

extension GroupSession {
    /// Mutes or unmutes. While muted no audio RTP leaves.
    public func setMicrophoneEnabled(_ isEnabled: Bool) async {
        guard !isClosed else { return }
        switches.isMicrophoneOn = isEnabled
        devices.meter.setMuted(!isEnabled)
        updateValves()
        if isEnabled { await devices.microphone.openAgain() }
    }

    /// Has the system unmute the microphone in use. Whether it did is told by ``PeerSessionEvent/microphoneMutedBySystem(_:)``.
    public func unmuteMicrophoneBySystem() async {
        guard !isClosed else { return }
        await devices.mute.unmute()
    }

    /// Turns the camera on or off. While off the device is closed and no video RTP leaves.
    public func setCameraEnabled(_ isEnabled: Bool) async {
        guard !isClosed else { return }
        switches.isCameraOn = isEnabled
        updateValves()
        await follow(.camera)
    }

    /// Goes on to the next camera.
    public func flipCamera() async { if !isClosed { await devices.camera.flip() } }

    /// Shares a screen, with or without sound, in the camera's place: members are shown it by every way there is, and the camera is
    /// closed meanwhile.
    ///
    /// What becomes of it is told as ``PeerSessionEvent/screenSharing(_:)``; what goes wrong, as a notice. A person who refuses
    /// is told nothing.
    public func startScreen(_ source: ScreenSource, sound: ScreenSound = .none, content: ScreenContent = .text) async {
        guard !isClosed else { return }
        guard isFlowing else {
            emit.yield(.own(.notice(.screenTooEarly)))
            return
        }
        if await devices.screen.state == .off { switches.screenContent = content }
        await devices.screen.start(
            source, content: switches.screenContent, sound: sound, picture: devices.inlets.camera,
            soundInlet: devices.inlets.screenSound)
    }

    /// Stops sharing. Nothing of the screen leaves from here on; the camera is as it was.
    public func stopScreen() async { await devices.screen.stop() }

    /// Changes camera, microphone or speaker, or with nil to the standard one.
    public func select(_ device: MediaDevice?, as kind: DeviceKind) async {
        guard !isClosed else { return }
        switch kind {
        case .camera: await devices.camera.select(device)
        case .microphone: await devices.microphone.select(device)
        case .speaker: await devices.speaker.select(device)
        }
    }

    /// Makes what a member sends louder or quieter here: 1 is as it comes.
    public func setVolume(_ factor: Double, of member: UInt8) async {
        await devices.speaker.setVolume(factor, of: member)
    }

    /// How loud the microphone is, from 0 to 1, at most 20 times a second. Each use is a new stream.
    public nonisolated func microphoneLevels() -> AsyncStream<Double> { devices.meter.levels() }

    /// Lets frames to the encoders, or not: nothing is encoded for nobody.
    func updateValves() {
        let open = switches.open(isFlowing: isFlowing, screenLine: .camera)
        encoders.setOpen(open.lines, open.shares)
        let statement = ownStatement.update(switches.statement(screenLine: .camera, isLinkSlow: false))
        for path in paths.values { path.transports.current.say(statement) }
    }

    /// Whether what is captured goes to somebody.
    private var isFlowing: Bool {
        !isClosed && (paths.values.contains { $0.isVerified } || room?.own?.isVerified ?? false)
    }

    /// Brings the devices of one kind in line with the switches.
    func follow(_ kind: DeviceKind) async {
        var isOpen: Bool
        repeat {
            isOpen = wanted.contains(kind)
            await devices.setEnabled(isOpen, kind)
        } while !isClosed && isOpen != wanted.contains(kind)
    }

    private var wanted: Set<DeviceKind> { switches.open(isFlowing: false, screenLine: .camera).devices }

    /// What devices tell.
    func handle(_ news: DeviceNews) async {
        guard !isClosed else { return }
        switch news {
        case .using(let kind, let device):
            guard devicesInUse[kind] != device else { return }
            devicesInUse[kind] = device
            emit.yield(.own(.devicesInUse(devicesInUse)))
        case .cameraCount(let count): emit.yield(.own(.cameraCount(count)))
        case .microphoneSilent(let isSilent): emit.yield(.own(.microphoneSilent(isSilent)))
        case .microphoneMuted(let isMuted): emit.yield(.own(.microphoneMutedBySystem(isMuted)))
        case .screen(let sharing):
            switches.sharing = sharing
            updateValves()
            emit.yield(.own(.screenSharing(sharing)))
            await follow(.camera)
        case .notice(let notice): emit.yield(.own(.notice(notice)))
        }
    }
}
