/// How long sound waits before the loudspeaker, so that it is heard when the picture of its time is shown. In milliseconds.
///
/// A picture is shown once the jitter buffers' wait is over. Sound has further to go from there: the mixer, the loudspeaker's buffer, and
/// what GStreamer adds. By as much it waits less for packets that are late; it is not asked for again anyway (`JitterBuffers`).
package enum PlayoutDelay {
    /// The loudspeaker's buffer, and the part of it that is written at once. With GStreamer's 200 sound came 210 after the picture.
    package static let speakerBuffer = 60
    package static let speakerPart = 10
    /// What GStreamer allows a picture for being drawn (`processing-deadline`).
    static let picture = 20
    /// What sound needs from its jitter buffer to the ear where nothing else is known: the mixer (10), the loudspeaker's buffer, and as long
    /// as a picture may take.
    static let usual = 10 + speakerBuffer + picture
    /// Sound waits at least so long, also where it then is late.
    static let shortest = 20
    /// By how much sound may be put at another place than where it belongs before it is moved there, which can be heard.
    package static let tolerance = 20

    /// How long sound waits that needs `own` from there to the ear, in a call whose jitter buffers wait for `latency`.
    package static func wait(latency: Int, own: Int?) -> Int { max(latency + picture - (own ?? usual), shortest) }
}
