import MediaRules

/// What a finished call was like: the last line that `parley-cli` prints about it.
public struct CallSummary: Sendable, Codable, Equatable {
    /// `completed`, or the reason the call did not take place.
    public var result: String
    /// The SMP version agreed with the relay.
    public var smpVersion: Int?
    /// Address of the relay that holds our queue for this contact.
    public var relay: String?
    /// Milliseconds since the dial (caller) or since the invitation arrived (callee).
    public var setup: Setup
    /// Frames that left this side.
    public var sent: Counts
    /// Frames of the peer that were authenticated and decoded.
    public var received: Counts

    /// When each step of setting up happened, in ms; absent when it did not.
    public struct Setup: Sendable, Codable, Equatable {
        /// The relay took the invitation (caller), or it rang (callee).
        public var ringing: Int?
        /// The callee accepted; the caller learns it with the offer.
        public var accepted: Int?
        /// The offer was sent or received.
        public var offer: Int?
        /// The answer was sent or received.
        public var answer: Int?
        /// ICE found a path.
        public var iceConnected: Int?
        /// DTLS was done.
        public var dtlsConnected: Int?
        /// The first frame of the peer was decoded.
        public var firstFrame: Int?

        /// No step was reached.
        public init() {}
    }

    /// Which path sound and pictures took at last; absent when none was found.
    public var path: MediaPath?

    /// Frames of one direction.
    public struct Counts: Sendable, Codable, Equatable {
        /// Pictures.
        public var videoFrames = 0
        /// Packets of sound.
        public var audioFrames = 0
        /// Pictures of the shared screen.
        public var screenFrames = 0
        /// Packets of the shared screen's sound.
        public var screenSoundFrames = 0
        /// Frames that did not authenticate (received) or could not be encrypted (sent), and were dropped.
        public var framesRejected = 0
        /// `aes-256-gcm` or `none`.
        public var frameEncryption = "none"
        /// Whether the peer's DTLS certificate was compared with the SDP fingerprint and matched.
        public var fingerprintVerified = false

        /// Bytes in all packets, at the ICE transport (`MediaStatistics.Direction.bytes`); absent when media were not opened.
        public var bytes: Int?

        /// Nothing yet.
        public init() {}
    }
}

extension CallSummary {
    /// The `result` of a call that took place.
    public static let completed = "completed"
}
