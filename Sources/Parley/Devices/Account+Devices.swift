import Media
import MediaRules

// Cameras, microphones and speakers of the person.
extension Account {
    /// What the person has chosen.
    public nonisolated var deviceChoices: DeviceChoices { sources.choices }

    /// Uses a device from now on, also in the calls there are, and remembers it; nil is the standard one.
    /// - Throws: `AccountError` when it can't be remembered; it is used still.
    public func choose(_ device: MediaDevice?, as kind: DeviceKind) async throws(AccountError) {
        sources.choices[kind] = device
        // Before the calls: there it may take long, as when the desktop asks for the camera.
        let remembered = Result { () throws(AccountError) in try remember(sources.choices) }
        await selectInCalls(device, as: kind)
        try remembered.get()
    }

    /// Changes what is done with the microphone's sound, also in the calls there are, and remembers it.
    /// - Throws: `AccountError` when it can't be remembered; it is done still.
    public func setSoundProcessing(_ processing: SoundProcessing) async throws(AccountError) {
        sources.choices.soundProcessing = processing
        let remembered = Result { () throws(AccountError) in try remember(sources.choices) }
        for call in calls.values { await call.setSoundProcessing(sources.soundProcessing) }
        try remembered.get()
    }

    /// Changes how the own pictures are sent, also in the calls there are, and remembers it.
    /// - Throws: `AccountError` when it can't be remembered; they are sent so still.
    public func setPictures(_ pictures: PictureChoices) async throws(AccountError) {
        sources.choices.pictures = pictures
        let remembered = Result { () throws(AccountError) in try remember(sources.choices) }
        for call in calls.values { await call.setPictures(sources.pictures) }
        try remembered.get()
    }

    /// How calls ring.
    public nonisolated var ringChoices: RingChoices { sources.ring }

    /// Rings so from the next call on, and remembers it.
    /// - Throws: `AccountError` when it can't be remembered; it rings so still.
    public func setRing(_ choices: RingChoices) throws(AccountError) {
        sources.ring = choices
        var settings = try settings()
        try settings.remember(choices)
    }

    /// Prepares to listen to the microphone that calls would use. Opens nothing yet.
    public nonisolated func makeMicrophoneTest() -> MicrophoneTest { MicrophoneTest(sources.microphone) }

    /// Prepares to look for QR codes with the camera that calls would use. Opens nothing yet.
    public nonisolated func makeCodeScanner() -> CodeScanner { CodeScanner(sources.camera) }

    /// Prepares to look at the camera that calls would use. Opens nothing yet.
    public nonisolated func makeCameraTest() -> CameraTest { CameraTest(sources.camera) }

    private func remember(_ choices: DeviceChoices) throws(AccountError) {
        var settings = try settings()
        try settings.remember(choices)
    }
}
