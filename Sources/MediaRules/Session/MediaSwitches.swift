/// What the person lets out of a call, and whether the call is on hold.
package struct MediaSwitches: Sendable, Equatable {
    /// Whether the microphone is heard.
    package var isMicrophoneOn = true
    /// Whether the camera is seen.
    package var isCameraOn: Bool
    /// Whether the own screen is shared.
    package var sharing = ScreenSharing.off
    /// What matters most in its pictures.
    package var screenContent = ScreenContent.text
    /// Whether tones are being sent, with silence around them in the voice's place.
    package var sendsTones = false
    /// Whether the call is on hold. The other switches stay as they are, for when it goes on.
    package var isHeld = false
    /// Whether data are saved, at the cost of pictures.
    package var savesData = false

    package init(isCameraOn: Bool) { self.isCameraOn = isCameraOn }

    /// Whether the screen takes the camera's place, where that m-line brings it.
    package func isScreenInCamerasPlace(screenLine: MediaSlot?) -> Bool { screenLine == .camera && sharing.isOn }

    /// What is open while frames may flow (the peer is verified and the call not over), or may not. `screenLine` is the m-line that
    /// brings the own screen; nil when the call has none. What is shared of its sound goes on a line of its own.
    package func open(isFlowing: Bool, screenLine: MediaSlot?) -> OpenMedia {
        let isScreenAlone = isScreenInCamerasPlace(screenLine: screenLine)
        let hasScreen = sharing.isOn && screenLine == .screen
        let hasScreenSound = screenLine != nil && sharing == .on(withSound: true)
        var open = OpenMedia(
            shares: SendShares(
                hasCamera: isCameraOn, hasScreen: hasScreen, hasScreenSound: hasScreenSound,
                isScreenInCamerasPlace: isScreenAlone, screenContent: screenContent, savesData: savesData))
        guard !isHeld else { return open }
        // A muted microphone stays open: it can be unmuted at once, and its level is shown.
        open.devices = isCameraOn && !isScreenAlone ? [.microphone, .speaker, .camera] : [.microphone, .speaker]
        open.takesPeer = true
        guard isFlowing else { return open }
        if isMicrophoneOn || sendsTones { open.lines.insert(.microphone) }
        if isCameraOn || isScreenAlone { open.lines.insert(.camera) }
        if hasScreen { open.lines.insert(.screen) }
        if hasScreenSound { open.lines.insert(.screenSound) }
        return open
    }
}

extension MediaSwitches {
    /// What the peer is told of them. `screenLine` is the m-line that brings the own screen.
    package func statement(screenLine: MediaSlot?, isLinkSlow: Bool) -> MediaStatement.Content {
        var content: MediaStatement.Content = []
        let isScreenAlone = isScreenInCamerasPlace(screenLine: screenLine)
        if isMicrophoneOn { content.insert(.microphone) }
        if isCameraOn || isScreenAlone { content.insert(.camera) }
        if sharing.isOn, screenLine == .screen { content.insert(.screen) }
        if screenLine != nil, sharing == .on(withSound: true) { content.insert(.screenSound) }
        if isHeld { content.insert(.held) }
        if isLinkSlow, content.contains(.camera) { content.insert(.slowLink) }
        return content
    }
}

/// What of a call is open.
package struct OpenMedia: Sendable, Equatable {
    /// The m-lines on which frames leave.
    package var lines: Set<MediaSlot> = []
    /// The devices that are open.
    package var devices: Set<DeviceKind> = []
    /// Whether the peer's frames are decoded, shown and played.
    var takesPeer = false
    /// How pictures share what may be sent.
    package var shares: SendShares

    package init(shares: SendShares) { self.shares = shares }
}
