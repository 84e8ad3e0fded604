/// Counts of one call.
public struct MediaStatistics: Sendable, Equatable {
    /// Counts of one direction.
    public struct Direction: Sendable, Equatable {
        /// Sent: frames that left the encoder and were encrypted. Received: frames that were authenticated and decoded.
        public var videoFrames = 0
        /// Likewise, of the shared screen.
        public var screenFrames = 0
        /// Likewise, packets of Opus.
        public var audioFrames = 0
        /// Likewise, packets of Opus of the screen's sound.
        public var screenSoundFrames = 0
        /// Received: frames dropped because they did not authenticate. Sent: frames that could not be encrypted.
        public var framesRejected = 0
        /// Received: frames that came while the call was on hold. They were neither opened nor decoded.
        public var framesHeld = 0
        /// Sent: tones that have begun. Received: tones that were told.
        public var tones = 0
        /// Bytes in all packets of this call at the ICE transport, of all transports it had: media as they are encrypted on the wire, RTCP,
        /// DTLS. Not in it: the heads of UDP and IP, STUN, and what a TURN server's protocol or TLS adds.
        public var bytes = 0

        /// All zero.
        public init() {}

        /// Frames and packets of any source.
        package var frames: Int { videoFrames + screenFrames + audioFrames + screenSoundFrames }
    }

    /// The names of the formats of a call, as descriptions have them (RFC 8866 §6.6).
    public struct Codecs: Sendable, Hashable {
        /// Such as `opus`; nil before the two have agreed, or without sound.
        public var sound: String?
        /// Such as `VP8`; nil before the two have agreed, or without pictures.
        public var pictures: String?

        /// None, by default.
        public init(sound: String? = nil, pictures: String? = nil) { (self.sound, self.pictures) = (sound, pictures) }
    }

    /// What is known of the way to the peer, and what follows from it.
    public struct Link: Sendable, Equatable {
        /// Bits a second that may be sent; 0 before a call's media are set up.
        public var target = 0
        /// Part of our packets that was lost lately, 0…1.
        public var loss = 0.0
        /// Part of the peer's packets that was lost lately, 0…1.
        public var lossHere = 0.0
        /// The size of our pictures as they are sent; nil before the first.
        public var size: PictureSize?
        /// What keeps them from being larger.
        public var limit = PictureLimit.camera
        /// Whether there is no room for them, and none are sent.
        public var isPaused = false
        /// Whether the graphics processor encodes them.
        public var isHardware = false
        /// The size of our screen as it is sent beside the camera; nil where none is.
        public var screenSize: PictureSize?
        /// The part of the time between two of our pictures that encoding one takes, and microseconds it takes; 0 before the first.
        public var encodeLoad = 0.0
        public var encodeTime = 0
        /// The part of the time between two of the peer's pictures that decoding one takes, and microseconds it takes; 0 before the first.
        public var decodeLoad = 0.0
        public var decodeTime = 0
        /// Milliseconds to the peer and back; nil while it is not known.
        public var roundTrip: Int?
        /// Milliseconds that pictures which have come wait to be shown.
        public var jitterLatency = 0

        /// Nothing known.
        public init() {}
    }

    /// The way to the peer.
    public var link = Link()
    /// What sound and pictures are written in; empty before the two have agreed.
    public var codecs = Codecs()
    /// Which path the packets take, or took last; nil before one was found.
    public var path: MediaPath?
    /// What left.
    public var sent = Direction()
    /// What arrived.
    public var received = Direction()
    /// Whether the call is on hold.
    public var isHeld = false
    /// `"aes-256-gcm"` or `"none"`.
    public var frameEncryption = "none"
    /// Whether the peer's DTLS certificate was compared with its announced fingerprint and is the same.
    public var fingerprintVerified = false
    /// Remote candidates that were not used: names, TCP, malformed, too many.
    public var candidatesRejected = 0
    /// Packets of the peer that were dropped before anything was made of them: malformed, of a payload type that was not
    /// agreed, of too many sources, or more RTCP and requests than a call has use for.
    public var packetsRefused = 0

    /// The longest time without a frame while camera or microphone were exchanged, in milliseconds.
    public var longestSwitch = 0

    /// All zero.
    public init() {}
}
