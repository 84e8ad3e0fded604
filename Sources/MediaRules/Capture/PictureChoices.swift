/// How the person wants the own pictures to be sent.
public struct PictureChoices: Sendable, Hashable, Codable {
    /// How large the camera's are at best.
    public var camera = CameraQuality.standard
    /// Whether data are saved: at most 250 kbit/s leave.
    public var savesData = false

    /// As most people want it.
    public init() {}

    /// The size at which the camera is opened: no larger than can be sent.
    package var cameraSize: PictureSize { savesData ? .vga : camera.size }
}
