import Media
import MediaRules
import Parley

/// Cameras, microphones and speakers, and what the person has chosen of them.
@MainActor package protocol DeviceProvider: AnyObject {
    /// The devices there are now, then each time they have changed. Opens none.
    func devices() async throws -> AsyncStream<MediaDevices>
    /// What the person has chosen; nil before the account is open.
    func deviceChoices() -> DeviceChoices?
    /// Uses a device from now on, also in the present call, and remembers it; nil is the standard one.
    func choose(_ device: MediaDevice?, as kind: DeviceKind) async throws
    /// Changes what is done with the microphone's sound, also in the present call, and remembers it.
    func setSoundProcessing(_ processing: SoundProcessing) async throws
    /// Changes how the own pictures are sent, also in the present call, and remembers it.
    func setPictures(_ pictures: PictureChoices) async throws
    /// Opens the microphone and tells of it until the stream is given up.
    func testMicrophone() async throws -> AsyncStream<MicrophoneTest.Reading>
    /// Opens the camera for the person to look at, until the notices are given up.
    func testCamera() async throws -> CameraTrial
}

/// The person's own camera, which nobody else sees.
package struct CameraTrial: Sendable {
    /// What it shows.
    package let picture: any VideoSource
    /// What the person is to know, such as that there is no camera. The camera is closed when this is given up.
    package let notices: AsyncStream<MediaNotice>

    /// A camera that is open.
    package init(picture: any VideoSource, notices: AsyncStream<MediaNotice>) {
        (self.picture, self.notices) = (picture, notices)
    }
}
