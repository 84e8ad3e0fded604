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
    public var sent: Counts
    public var received: Counts

    /// When each step of setting up happened, in ms; absent when it did not.
    public struct Setup: Sendable, Codable, Equatable {
        public var ringing: Int?
        public var accepted: Int?
        public var offer: Int?
        public var answer: Int?
        public var iceConnected: Int?
        public var dtlsConnected: Int?
        public var firstFrame: Int?

        public init() {}
    }

    /// Frames of one direction.
    public struct Counts: Sendable, Codable, Equatable {
        public var videoFrames = 0
        public var audioFrames = 0
        /// Frames that did not authenticate (received) or could not be encrypted (sent), and were dropped.
        public var framesRejected = 0
        /// `aes-256-gcm` or `none`.
        public var frameEncryption = "none"
        /// Whether the peer's DTLS certificate was compared with the SDP fingerprint and matched.
        public var fingerprintVerified = false

        public init() {}
    }
}

extension CallSummary {
    /// The `result` of a call that took place.
    public static let completed = "completed"
}
