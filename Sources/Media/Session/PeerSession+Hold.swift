import MediaRules

extension PeerSession {
    /// Puts the call on hold, or takes it up again.
    ///
    /// On hold nothing of microphone, camera or screen leaves, and of the peer nothing is decoded, shown or played. Camera, microphone
    /// and speaker are closed when this returns; sharing of the screen has ended. The path to the peer stays, with its RTCP, and can be
    /// replaced as always. What the person turns on or off or chooses meanwhile counts when the call goes on: then devices are opened
    /// without being waited for, and the first picture is a key frame.
    public func setHeld(_ isHeld: Bool) async {
        guard !isClosed else { return }
        let isNew = switches.isHeld != isHeld
        if isNew { switchHold(isHeld) }
        if isHeld {
            async let screenHasEnded: Void = screen.stop()
            await followDevices()
            await screenHasEnded
        } else if isNew {
            Task { await followDevices() }
        }
    }

    /// What takes no time.
    private func switchHold(_ isHeld: Bool) {
        switches.isHeld = isHeld
        for transport in transports.all { transport.protection.setHeld(isHeld) }
        updateValves()
        for feed in [remoteVideo, remoteScreen] { feed.setHeld(isHeld) }
        updateMeter()
        if isHeld { voice.fallSilent() }
        if isHeld { transports.current.tones.cancel() }
        if !isHeld { senders[.camera]?.control?.needKeyFrame() }
    }

    /// At the same time: one that hangs must not keep the others open, or closed.
    private func followDevices() async {
        async let camera: Void = follow(.camera)
        async let microphone: Void = follow(.microphone)
        async let speaker: Void = follow(.speaker)
        _ = await (camera, microphone, speaker)
    }
}
