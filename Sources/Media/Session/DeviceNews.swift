import MediaRules

/// What devices and the own screen tell their call, from threads of their own.
enum DeviceNews: Sendable {
    /// Another device of this kind is chosen.
    case using(DeviceKind, MediaDevice?)
    /// How many cameras one can flip between has changed.
    case cameraCount(Int)
    /// The own microphone gives no sound, or does again.
    case microphoneSilent(Bool)
    /// The system has muted the own microphone, or no longer.
    case microphoneMuted(Bool)
    /// The own screen is shared, or no longer.
    case screen(ScreenSharing)
    /// What the person is to know.
    case notice(MediaNotice)
}
