/// What is to be seen of a shared screen first.
public enum ScreenContent: String, Sendable, Hashable, Codable, CaseIterable {
    /// Sharp text; pictures are left out where the network is narrow.
    case text
    /// Movement; pictures become coarse there.
    case motion
}

/// How the person wants the own pictures to be sent.
public struct PictureChoices: Sendable, Hashable, Codable {
    /// How large the camera's are at best.
    public var camera = CameraQuality.standard
    /// Whether data are saved: at most 250 kbit/s leave.
    public var savesData = false
    /// What of a shared screen matters.
    public var screen = ScreenContent.text

    /// As most people want it.
    public init() {}

    /// The size at which the camera is opened: no larger than can be sent.
    package var cameraSize: PictureSize { savesData ? PictureSize(width: 640, height: 480) : camera.size }
}
