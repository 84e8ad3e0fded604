import BaseKit

/// Why a camera, microphone, speaker or screen could not be used.
public enum DeviceFault: Sendable, Hashable {
    /// GStreamer makes no element for the device. (its name)
    case noElement(String)
    /// The device's element can't be put to use. (its name)
    case unusable(DeviceKind, String?)
    /// The device did not open. (its name, GStreamer's words)
    case notOpened(DeviceKind, String, detail: String?)
    /// The film can't be read. (its path)
    case film(String)
    /// The film has no picture, or no sound, that can be played in the device's place. (its path, GStreamer's words)
    case filmLacks(DeviceKind, String, detail: String?)
    /// The test picture or tone did not start. (GStreamer's words)
    case test(DeviceKind, detail: String?)
    /// What is captured can't be put to use.
    case source
    /// A camera of the desktop's is to be used, which has not been asked for it.
    case cameraNotAsked
    /// The desktop does not allow the camera.
    case cameraDenied
    /// The desktop could not be asked for the camera.
    case cameraNotGiven(Cause)
    /// The camera that the desktop allowed did not open. (GStreamer's words)
    case cameraNotOpened(detail: String?)
    /// The desktop could not be asked for a screen.
    case screenNotGiven(Cause)
    /// The screen's element can't be put to use.
    case screenUnusable
    /// The screen did not open.
    case screenNotCaptured
    /// The sound server does not answer, so that this computer's sound can't be shared.
    case systemSound
}
