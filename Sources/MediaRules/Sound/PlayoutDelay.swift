/// How long what has come waits before it is shown and heard, in milliseconds.
package struct PlayoutWait: Sendable, Equatable {
    /// How long pictures wait for their last step.
    package var pictures: Int
    /// How long sound waits at least, behind its jitter buffer.
    package var sound: Int

    package init(pictures: Int, sound: Int = PlayoutDelay.shortest) { (self.pictures, self.sound) = (pictures, sound) }

    /// For all that is played together: the longest of each.
    package func union(_ other: PlayoutWait) -> PlayoutWait {
        PlayoutWait(pictures: max(pictures, other.pictures), sound: max(sound, other.sound))
    }
}

/// How long sound waits before the loudspeaker, so that it is heard when the picture of its time is shown. In milliseconds.
///
/// A picture is shown once its wait is over. Sound has further to go from there: the mixer, the loudspeaker's buffer, and
/// what GStreamer adds. By as much it waits less for packets that are late; it is not asked for again anyway (`JitterBuffers`).
package enum PlayoutDelay {
    /// What a picture and a piece of sound have for the last step to where they are shown and heard (`processing-deadline`). GStreamer allows 20.
    package static let lastStep = 5
    /// What sound needs from where it waits to the ear where nothing else is known: the mixer (10), the loudspeaker's buffer, and the last step.
    static let usual = 10 + SpeakerBuffer.sizes[0] + lastStep
    /// Sound waits at least so long, also where it then is late.
    package static let shortest = 20
    /// By how much sound may be put at another place than where it belongs before it is moved there, which can be heard.
    package static let tolerance = 20

    /// How long sound waits that needs `own` from there to the ear.
    package static func wait(_ wait: PlayoutWait, own: Int?) -> Int {
        max(wait.pictures + lastStep - (own ?? usual), wait.sound)
    }

    /// How long pictures wait at least beside sound that waits `sound`, so as not to be shown before it.
    static func pictures(besideSound sound: Int, own: Int?) -> Int { sound + (own ?? usual) - lastStep }
}
