import MediaRules

extension PeerSession {
    /// Shares a screen, with or without sound. The peer is shown it beside the camera; one of an older version is shown it in
    /// the camera's place (Calls fact sheet §6).
    ///
    /// What becomes of it is told as ``PeerSessionEvent/screenSharing(_:)``; what goes wrong, as a notice. A person who refuses
    /// is told nothing.
    public func startScreen(_ source: ScreenSource, sound: ScreenSound = .none, content: ScreenContent = .text) async {
        guard !isClosed else { return }
        guard isVerified, screenLine != nil else {
            emit.yield(.notice(isVerified ? .screenNotShown : .screenTooEarly))
            return
        }
        guard !switches.isHeld else {
            emit.yield(.notice(.screenWhileHeld))
            return
        }
        let isAlone = screenLine == .camera
        if await screen.state == .off { switches.screenContent = content }
        await screen.start(
            source, content: switches.screenContent, sound: isAlone ? .none : sound,
            picture: isAlone ? cameraInlet : devices.inlets.screen,
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
    var isScreenInCamerasPlace: Bool { switches.isScreenInCamerasPlace(screenLine: screenLine) }

    /// Follows the screen: opens its valves or closes them, and the camera if the two share one.
    func handle(_ sharing: ScreenSharing) async {
        let was = isScreenInCamerasPlace
        switches.sharing = sharing
        updateValves()
        emit.yield(.screenSharing(sharing))
        if was != isScreenInCamerasPlace { await follow(.camera) }
        // It was asked for just before the call was put on hold.
        if switches.isHeld, sharing != .off { await screen.stop() }
    }
}
