import MediaRules

extension PeerSession {
    /// Changes camera, microphone or speaker, or with nil to the standard one. Nothing is negotiated anew.
    ///
    /// A camera that is off stays off. A device that is not there is a notice. Where the test picture, a file or nothing is
    /// captured, nothing happens.
    public func select(_ device: MediaDevice?, as kind: DeviceKind) async {
        guard !isClosed else { return }
        switch kind {
        case .camera: await devices.camera.select(device)
        case .microphone: await devices.microphone.select(device)
        case .speaker: await devices.speaker.select(device)
        }
    }

    /// Changes what is done with the microphone's sound.
    public func setSoundProcessing(_ processing: SoundProcessing) async {
        guard !isClosed else { return }
        await devices.microphone.setProcessing(processing)
    }

    /// Changes how the own pictures are sent. A camera that is open is opened anew where its size changes.
    public func setPictures(_ choices: PictureChoices) async {
        guard !isClosed else { return }
        switches.savesData = choices.savesData
        updateValves()
        await devices.camera.setSize(choices.cameraSize)
    }

    /// Makes microphone and loudspeaker louder or quieter, for this call alone.
    public func setVolumes(_ volumes: SoundVolumes) async {
        guard !isClosed else { return }
        await devices.speaker.setVolume(volumes.played)
        await devices.microphone.setGain(volumes.microphone)
    }

    /// How loud the microphone is, from 0 to 1, at most 20 times a second; 0 while it is muted. Each use is a new stream.
    public nonisolated func microphoneLevels() -> AsyncStream<Double> { devices.meter.levels() }

    /// How loud the peer speaks, in steps from 0 to 3, each time it is another one. Each use is a new stream.
    public nonisolated func speakingSteps() -> AsyncStream<Int> { voice.steps() }

    /// Has the system unmute the microphone in use. Whether it did is told by ``PeerSessionEvent/microphoneMutedBySystem(_:)``.
    public func unmuteMicrophoneBySystem() async {
        guard !isClosed else { return }
        await devices.mute.unmute()
    }

    /// What devices tell.
    func handle(_ news: DeviceNews) async {
        guard !isClosed else { return }
        switch news {
        case .using(let kind, let device): use(device, as: kind)
        case .cameraCount(let count): emit.yield(.cameraCount(count))
        case .microphoneSilent(let isSilent): emit.yield(.microphoneSilent(isSilent))
        case .microphoneMuted(let isMuted): emit.yield(.microphoneMutedBySystem(isMuted))
        case .screen(let sharing): await handle(sharing)
        case .notice(let text): emit.yield(.notice(text))
        }
    }

    /// Brings the devices of one kind in line with the switches. Whoever changes its mind while a device opens or closes is followed.
    func follow(_ kind: DeviceKind) async {
        var isOpen: Bool
        repeat {
            isOpen = open.devices.contains(kind)
            await devices.setEnabled(isOpen, kind)
        } while !isClosed && isOpen != open.devices.contains(kind)
    }

    private func use(_ device: MediaDevice?, as kind: DeviceKind) {
        guard devicesInUse[kind] != device else { return }
        devicesInUse[kind] = device
        emit.yield(.devicesInUse(devicesInUse))
    }
}
