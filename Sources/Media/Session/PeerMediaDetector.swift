/// Tells whether the peer's microphone and camera are on, from what arrives.
///
/// Peers do not say so: a source that has been silent for three seconds is off, its next frame makes it on
/// (calls fact sheet §6). Both begin as off.
struct PeerMediaDetector: Sendable, Equatable {
    /// Milliseconds without growth after which a source is off.
    static let silence: Int64 = 3_000

    private var microphone = Source()
    private var camera = Source()

    /// Takes the counts of frames received so far at `now` (milliseconds of a monotonic clock).
    ///
    /// Returns the new state when it changed.
    mutating func update(audioFrames: Int, videoFrames: Int, now: Int64) -> PeerMedia? {
        let before = state
        microphone.update(count: audioFrames, now: now)
        camera.update(count: videoFrames, now: now)
        return state == before ? nil : state
    }

    /// What is on now.
    var state: PeerMedia { PeerMedia(microphone: microphone.isOn, camera: camera.isOn) }

    private struct Source: Sendable, Equatable {
        var count = 0
        var grownAt: Int64?
        var isOn = false

        mutating func update(count: Int, now: Int64) {
            if count > self.count {
                self.count = count
                grownAt = now
                isOn = true
            } else if let grownAt, now - grownAt >= PeerMediaDetector.silence {
                isOn = false
            }
        }
    }
}

/// Which of the peer's sources are on.
public struct PeerMedia: Sendable, Hashable {
    /// Sound arrives.
    public var microphone: Bool
    /// Pictures arrive.
    public var camera: Bool

    /// Both states.
    public init(microphone: Bool, camera: Bool) {
        self.microphone = microphone
        self.camera = camera
    }
}
