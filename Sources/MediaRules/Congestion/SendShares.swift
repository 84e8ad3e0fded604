/// How camera and screen share what there is for pictures.
///
/// What is read on a screen needs most of it; a face beside it is small.
package struct SendShares: Sendable, Equatable {
    /// Part of the camera while a screen is shared, and its bounds in bits a second.
    static let camera = (part: 0.25, least: 80_000, most: 300_000)
    /// What the screen's sound takes with its headers, in bits a second.
    static let screenSound = 80_000

    /// Whether the camera sends.
    package var hasCamera = true
    /// Whether a screen is sent.
    package var hasScreen = false
    /// Whether its sound is.
    package var hasScreenSound = false

    /// What is sent.
    package init(hasCamera: Bool = true, hasScreen: Bool = false, hasScreenSound: Bool = false) {
        (self.hasCamera, self.hasScreen, self.hasScreenSound) = (hasCamera, hasScreen, hasScreenSound)
    }

    /// What is sent besides pictures and the voice, in bits a second.
    var extra: Int { hasScreenSound ? Self.screenSound : 0 }

    /// Bits a second for either, of those for all pictures. A camera that is off keeps what it would have.
    package func split(_ video: Int) -> (camera: Int, screen: Int) {
        guard hasScreen else { return (video, 0) }
        let wish = min(max(Int(Double(video) * Self.camera.part), Self.camera.least), Self.camera.most)
        let camera = min(wish, video / 2)
        return (camera, hasCamera ? video - camera : video)
    }
}
