import BaseKit

/// How fast the counts of a call grew between two looks at them.
public struct CallRates: Sendable, Hashable {
    /// Bits a second that left, and that arrived.
    public var sent: Int
    public var received: Int
    /// Pictures of the camera a second that left, and that arrived.
    public var sentPictures: Double
    public var receivedPictures: Double
    /// Likewise, of the shared screen.
    public var sentScreens: Double
    public var receivedScreens: Double

    /// Nil where no time has passed between the two, or the counts began anew.
    public init?(from old: MediaStatistics, to new: MediaStatistics, in time: Duration) {
        let seconds = time.inSeconds
        let (sent, received) = (new.sent.bytes - old.sent.bytes, new.received.bytes - old.received.bytes)
        let pictures = (
            new.sent.videoFrames - old.sent.videoFrames, new.received.videoFrames - old.received.videoFrames
        )
        let screens = (
            new.sent.screenFrames - old.sent.screenFrames, new.received.screenFrames - old.received.screenFrames
        )
        guard seconds > 0, min(sent, received, pictures.0, pictures.1, screens.0, screens.1) >= 0 else { return nil }
        self.sent = Int(Double(sent) * 8 / seconds)
        self.received = Int(Double(received) * 8 / seconds)
        sentPictures = Double(pictures.0) / seconds
        receivedPictures = Double(pictures.1) / seconds
        sentScreens = Double(screens.0) / seconds
        receivedScreens = Double(screens.1) / seconds
    }
}
