/// Where a call's picture comes from.
public enum CameraSource: Sendable, Hashable {
    /// The standard camera, in a sandbox the portal's; none, with a notice, when there is none.
    case automatic
    /// This camera while it is there; meanwhile the standard one, with a notice. In a sandbox the portal's.
    case preferred(MediaDevice)
    /// The camera with this id or name of ``DeviceMonitor``, or none.
    case named(String)
    /// The camera that the desktop's portal gives; the person is asked when it is turned on.
    case portal
    /// A moving test pattern.
    case test
    /// The pictures of a file, over and over; the value is its path.
    case file(String)
    /// The peer's own picture, sent back.
    case echo
    /// No picture.
    case none
}

/// Where a call's sound comes from.
public enum MicrophoneSource: Sendable, Hashable {
    /// The machine's standard microphone; none, with a notice, when there is none.
    case automatic
    /// This microphone while it is there; meanwhile the standard one, with a notice.
    case preferred(MediaDevice)
    /// The microphone with this id or name of ``DeviceMonitor``, or none.
    case named(String)
    /// A quiet tone.
    case test
    /// The sound of a file, over and over; the value is its path.
    case file(String)
    /// The peer's own sound, sent back.
    case echo
    /// No sound.
    case none
}

/// Where the peer's sound is played.
public enum SpeakerSink: Sendable, Hashable {
    /// The machine's standard speaker; none, with a notice, when there is none.
    case automatic
    /// This speaker while it is there; meanwhile the standard one, with a notice.
    case preferred(MediaDevice)
    /// The speaker with this id or name of ``DeviceMonitor``, or none.
    case named(String)
    /// Nowhere.
    case none
}
