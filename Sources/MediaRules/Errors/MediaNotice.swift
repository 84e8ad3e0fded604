import BaseKit

/// What a person is to know of their call's media that does not end the call.
public enum MediaNotice: Sendable, Equatable {
    /// Devices came or went.
    case device(DeviceNotice)
    /// Something could not be done.
    case failed(Cause)
    /// A server for calls can't be used.
    case server(RelayServerError)
    /// A device stopped by itself. (GStreamer's words)
    case stopped(DeviceKind, String)
    /// The shared screen ended by itself.
    case screenEnded(ScreenEnd)
    /// Echo and noise stay in the microphone's sound: an element is missing.
    case noSoundProcessing
    /// The peer's older version can't be shown a picture in a call without one.
    case pictureNotShown
    /// The peer's older version can't be shown a screen in a call without pictures.
    case screenNotShown
    /// The screen can be shared only later, once the call is connected.
    case screenTooEarly
    /// The screen can't be shared while the call is on hold.
    case screenWhileHeld

    /// How a shared screen ended.
    public enum ScreenEnd: Sendable, Hashable {
        /// What was shared is not there any more.
        case gone
        /// Its pipeline failed. (GStreamer's words)
        case failed(String)
    }
}
