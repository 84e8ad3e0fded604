import MediaRules

extension PeerSession {
    /// Mutes or unmutes. While muted no audio RTP leaves: that is how the peer sees it.
    public func setMicrophoneEnabled(_ isEnabled: Bool) async {
        guard !isClosed else { return }
        switches.isMicrophoneOn = isEnabled
        updateMeter()
        updateValves()
        if isEnabled { await devices.microphone.openAgain() }
    }

    /// Turns the camera on or off. While off the device is closed and no video RTP leaves.
    public func setCameraEnabled(_ isEnabled: Bool) async {
        guard !isClosed else { return }
        // An older peer's call without pictures has no m-line for one.
        guard senders.isEmpty || senders[.camera] != nil else {
            if isEnabled { emit.yield(.notice(.pictureNotShown)) }
            return
        }
        switches.isCameraOn = isEnabled
        updateValves()
        // An older peer is shown one picture only; the camera's turn comes when the screen's is over.
        await follow(.camera)
    }

    /// Goes on to the next camera. Encoder and RTP stream stay, so the peer sees no interruption but the change of picture.
    public func flipCamera() async {
        guard !isClosed else { return }
        await devices.camera.flip()
    }

    /// Whether there is a picture to send while the camera is on. Opens none.
    public var hasCamera: Bool {
        get async {
            if configuration.camera == .echo { return true }
            return await devices.camera.hasSource()
        }
    }

    /// How many cameras there are to go round. Opens none.
    public var cameraCount: Int {
        get async { await devices.camera.count() }
    }

    /// Lets frames to the encoders, or not.
    func updateValves() {
        let open = open
        for (slot, chain) in senders { chain.setOpen(open.lines.contains(slot)) }
        senders[.camera]?.control?.setShares(open.shares)
        say()
    }

    /// What of the call is open, as the switches are.
    var open: OpenMedia { switches.open(isFlowing: isVerified && !isClosed, screenLine: screenLine) }

    /// Silence that the person wants is none to be told.
    func updateMeter() { devices.meter.setMuted(!switches.isMicrophoneOn || switches.isHeld) }
}
