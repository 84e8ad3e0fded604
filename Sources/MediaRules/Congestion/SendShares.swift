/// How camera and screen share what there is for pictures.
///
/// What is read on a screen needs most of it; a face beside it is small.
package struct SendShares: Sendable, Equatable {
    /// Part of the camera while a screen is shared, and its bounds in bits a second.
    static let camera = (part: 0.25, least: 80_000, most: 300_000)
    /// What the screen's sound takes with its headers, in bits a second.
    static let screenSound = 80_000
    /// Bits a second above which a screen does not become better.
    static let mostScreen = 3_000_000
    /// The part of a camera's rate that a screen in its place needs: most of it stands still, and is read. Where more changes, pictures are
    /// left out rather than made smaller.
    static let screenNeed = 0.1

    /// Whether the camera sends.
    package var hasCamera = true
    /// Whether a screen is sent.
    package var hasScreen = false
    /// Whether its sound is.
    package var hasScreenSound = false
    /// Whether a screen is sent in the camera's place.
    package var isScreenInCamerasPlace = false
    /// What matters most in the screen's pictures.
    package var screenContent = ScreenContent.text
    /// Whether data are saved, at the cost of pictures.
    package var savesData = false

    /// What is sent.
    package init(
        hasCamera: Bool = true, hasScreen: Bool = false, hasScreenSound: Bool = false,
        isScreenInCamerasPlace: Bool = false, screenContent: ScreenContent = .text, savesData: Bool = false
    ) {
        (self.hasCamera, self.hasScreen, self.hasScreenSound) = (hasCamera, hasScreen, hasScreenSound)
        (self.isScreenInCamerasPlace, self.savesData) = (isScreenInCamerasPlace, savesData)
        self.screenContent = screenContent
    }

    /// Whether the pictures in the camera's place are to be read.
    package var isReadInCamerasPlace: Bool { isScreenInCamerasPlace && screenContent == .text }

    /// What is sent besides pictures and the voice, in bits a second.
    var extra: Int { hasScreenSound ? Self.screenSound : 0 }

    /// Bits a second for pictures above which none of them becomes better; `camera` is that of the camera's.
    func most(camera: Int) -> Int {
        guard hasScreen else { return camera }
        return Self.mostScreen + (hasCamera ? min(camera, Self.camera.most) : 0)
    }

    /// Bits a second for either, of those for all pictures. A camera that is off keeps what it would have.
    package func split(_ video: Int) -> (camera: Int, screen: Int) {
        guard hasScreen else { return (video, 0) }
        let wish = min(max(Int(Double(video) * Self.camera.part), Self.camera.least), Self.camera.most)
        let camera = min(wish, video / 2)
        return (camera, hasCamera ? video - camera : video)
    }
}
