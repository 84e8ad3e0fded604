import BaseKit

/// Tells whether the peer's microphone, camera, screen and its sound are on, from what arrives.
///
/// Other programs than Parley do not say so: a source that has been silent for three seconds is off, its next frame makes it on
/// (Calls fact sheet §6). All begin as off.
///
/// Firefox does not fall silent when its camera is turned off: it repeats the last picture once a second. So a camera that
/// shows fewer than two pictures a second for three seconds is off too, unless the peer sends its screen in the camera's
/// place, as older ones do and all in a call of several: a still screen is no more lively.
struct PeerMediaDetector: Sendable, Equatable {
    /// The time without growth after which a source is off.
    static let silence: Duration = .seconds(3)
    /// Most pictures in that time that are still no camera.
    static let trickle = 5

    /// Whether the peer sends its screen in the camera's place.
    var sendsScreenAsCamera = false
    private var microphone = Source()
    private var camera = Source()
    private var screen = Source()
    private var screenSound = Source()

    /// Takes the counts of frames received so far at `now`.
    ///
    /// Returns the new state when it changed.
    mutating func update(
        audioFrames: Int, videoFrames: Int, screenFrames: Int = 0, screenSoundFrames: Int = 0, now: Instant
    ) -> PeerMedia? {
        let before = state
        microphone.update(count: audioFrames, now: now)
        camera.update(count: videoFrames, now: now, trickle: sendsScreenAsCamera ? 0 : Self.trickle)
        screen.update(count: screenFrames, now: now)
        screenSound.update(count: screenSoundFrames, now: now)
        return state == before ? nil : state
    }

    /// What is on now.
    var state: PeerMedia {
        PeerMedia(
            microphone: microphone.isOn, camera: camera.isOn, screen: screen.isOn, screenSound: screenSound.isOn)
    }

    private struct Source: Sendable, Equatable {
        var isOn: Bool { onSince != nil }
        private var count = 0
        private var grownAt: Instant?
        private var onSince: Instant?
        private var hasTrickled = false
        /// The counts of the last three seconds, oldest first.
        private var recent: [Count] = []

        private struct Count: Sendable, Equatable {
            var frames: Int
            var at: Instant
        }

        mutating func update(count: Int, now: Instant, trickle: Int = 0) {
            let hasGrown = count > self.count
            if hasGrown { grownAt = now }
            recent.append(Count(frames: self.count, at: now))
            recent.removeAll { now - $0.at >= PeerMediaDetector.silence }
            self.count = count
            let lately = count - (recent.first?.frames ?? count)
            if let grownAt, now - grownAt >= PeerMediaDetector.silence {
                onSince = nil
                hasTrickled = false
            } else if let since = onSince, lately <= trickle, now - since >= PeerMediaDetector.silence {
                onSince = nil
                hasTrickled = true
            } else if !isOn, hasGrown, !hasTrickled || lately > trickle {
                onSince = now
                hasTrickled = false
            }
        }
    }
}

/// Which of the peer's sources are on.
public struct PeerMedia: Sendable, Hashable {
    /// Sound arrives.
    public var microphone: Bool
    /// Pictures arrive. Older peers send their screen this way too.
    public var camera: Bool
    /// A shared screen arrives.
    public var screen: Bool
    /// The sound of what a shared screen plays arrives.
    public var screenSound: Bool
    /// The camera is on, but the peer's link carries too little for its pictures. Only Parleys say so.
    public var isPicturePaused: Bool

    /// All states.
    public init(
        microphone: Bool, camera: Bool, screen: Bool = false, screenSound: Bool = false, isPicturePaused: Bool = false
    ) {
        self.microphone = microphone
        self.camera = camera
        self.screen = screen
        self.screenSound = screenSound
        self.isPicturePaused = isPicturePaused
    }
}
