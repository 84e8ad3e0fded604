import MediaRules

extension PeerSession {
    /// Shares a screen, with or without sound. The peer is shown it beside the camera; one of an older version is shown it in
    /// the camera's place (Calls fact sheet §6).
    ///
    /// What becomes of it is told as ``PeerSessionEvent/screenSharing(_:)``; what goes wrong, as a notice. A person who refuses
    /// is told nothing.
    public func startScreen(_ source: ScreenSource, sound: ScreenSound = .none) async {
        guard !isClosed else { return }
        guard isVerified, screenLine != nil else {
            emit.yield(.notice(isVerified ? .screenNotShown : .screenTooEarly))
            return
        }
        let isAlone = screenLine == .camera
        await screen.start(
            source, sound: isAlone ? .none : sound, picture: isAlone ? cameraInlet : devices.inlets.screen,
            soundInlet: devices.inlets.screenSound)
    }

    /// Stops sharing. Nothing of the screen leaves from here on.
    public func stopScreen() async { await screen.stop() }

    /// The m-line that brings our screen; nil when the call has none.
    var screenLine: MediaSlot? {
        if !isPeerOlder, senders[.screen] != nil { return .screen }
        return senders[.camera] == nil ? nil : .camera
    }

    /// Whether the screen takes the camera's place now.
    var isScreenInCamerasPlace: Bool { screenLine == .camera && sharing.isOn }

    /// Follows the screen: opens its valves or closes them, and the camera if the two share one.
    func handle(_ sharing: ScreenSharing) async {
        let was = isScreenInCamerasPlace
        switches.sharing = sharing
        updateValves()
        emit.yield(.screenSharing(sharing))
        if was != isScreenInCamerasPlace { await devices.camera.setEnabled(switches.isCameraOn && was) }
    }

    /// Lets the frames of the screen to their encoders, or not.
    func updateScreenValves(_ isFlowing: Bool) {
        senders[.screen]?.setOpen(isFlowing && sharing.isOn && screenLine == .screen)
        senders[.screenSound]?.setOpen(isFlowing && sharing == .on(withSound: true) && screenLine == .screen)
        senders[.camera]?.control?.setShares(
            SendShares(
                hasCamera: switches.isCameraOn, hasScreen: sharing.isOn && screenLine == .screen,
                hasScreenSound: sharing == .on(withSound: true) && screenLine == .screen))
    }
}

extension ScreenSharing {
    /// Whether it is seen.
    var isOn: Bool { if case .on = self { true } else { false } }
}
