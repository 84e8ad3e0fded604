import Signaling

/// What the log keeps of one call.
public struct CallRecord: Sendable, Hashable {
    /// The call.
    public var callID: CallID
    /// Who it was with.
    public var contact: ContactID
    /// What the contact was called here then, so that the entry can be read when the contact is gone.
    public var name: String
    /// Who began it.
    public var direction: CallDirection
    /// What it carried, or should have carried.
    public var media: CallMedia
    /// When it began, in seconds since 1970.
    public var startedAt: Int64
    /// When people could talk in it, in seconds since 1970; nil if they never could.
    public var answeredAt: Int64?
    /// When it ended, in seconds since 1970; nil if the program ended first, unexpectedly.
    public var endedAt: Int64?
    /// How long it was on, in milliseconds; nil if it never was, or that is not known.
    public var duration: Int64?
    /// What became of it.
    public var result: CallResult
    /// Exactly why it is over; nil if the program ended unexpectedly, or a newer one knows a reason that this one does not.
    public var reason: CallEndReason?
    /// When the steps of its beginning were reached, in milliseconds after ``startedAt``.
    public var setup = Setup()
    /// The way that sound and picture took; nil if that is not known.
    public var path: Path?
    /// How good the connection was at its end; nil if that is not known.
    public var quality: Quality?
    /// What it cost of the network; nil if that is not known.
    public var data: DataUse?
    /// Whether frames were encrypted end to end; nil if it did not get so far.
    public var isFrameEncrypted: Bool?
    /// Whether the peer's certificate was found to be the announced one.
    public var isFingerprintVerified = false
    /// Who was in a call of several besides the person here, or was to be where nobody came; empty for a call of two.
    public var members: [Member] = []
    /// Exactly why a call of several is over here; nil for a call of two, and where it is not known.
    public var groupReason: GroupCallEndReason?

    /// One of the others in a call of several.
    public struct Member: Sendable, Hashable {
        /// What they were called here then.
        public var name: String
        /// Who it was; nil for somebody who is no contact, as who was introduced by another member.
        public var contact: ContactID?

        /// Somebody.
        public init(name: String, contact: ContactID? = nil) {
            self.name = name
            self.contact = contact
        }
    }

    /// The steps of a call's beginning, in milliseconds; nil for what was not reached.
    public struct Setup: Sendable, Hashable {
        /// The relay took the invitation (caller), or it rang (callee).
        public var ringing: Int64?
        /// The callee accepted.
        public var accepted: Int64?
        /// The offer was sent or received.
        public var offer: Int64?
        /// The answer was sent or received.
        public var answer: Int64?
        /// ICE found a path.
        public var iceConnected: Int64?
        /// DTLS was done.
        public var dtlsConnected: Int64?
        /// The first frame of the peer was decoded.
        public var firstFrame: Int64?

        /// No step was reached.
        public init() {}

        /// The steps reached, in the order of a call, with the names of ``SetupTimeline/steps``.
        public var steps: [(name: String, milliseconds: Int64)] {
            let all: [(String, Int64?)] = [
                ("ringing", ringing), ("accepted", accepted), ("offer", offer), ("answer", answer),
                ("iceConnected", iceConnected), ("dtlsConnected", dtlsConnected), ("firstFrame", firstFrame),
            ]
            return all.compactMap { name, value in value.map { (name, $0) } }
        }
    }

    /// The way of sound and picture. No addresses are kept.
    public struct Path: Sendable, Hashable {
        /// What stood between the two.
        public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
            /// Nothing: packets went from one machine to the other.
            case direct = 1
            /// A TURN server.
            case turn = 2
        }

        /// What kind of address this side had on it.
        public enum AddressKind: UInt8, Sendable, Hashable, CaseIterable {
            /// One of the machine.
            case host = 1
            /// One of its router, as a STUN server has seen it.
            case serverReflexive = 2
            /// One of its router, as the peer has seen it.
            case peerReflexive = 3
            /// One of a TURN server.
            case relayed = 4
        }

        /// What stood between the two.
        public var kind: Kind
        /// What kind of address this side had; nil if that is not known.
        public var addressKind: AddressKind?

        /// A way.
        public init(_ kind: Kind, addressKind: AddressKind? = nil) {
            self.kind = kind
            self.addressKind = addressKind
        }
    }

    /// How good the connection was at its end.
    public struct Quality: Sendable, Hashable {
        /// Milliseconds to the peer and back; nil if not measured.
        public var roundTrip: Int64?
        /// Of 10 000 own packets, how many were lost lately.
        public var lossSent: Int64
        /// Of 10 000 packets of the peer, how many were lost lately.
        public var lossReceived: Int64
        /// Bits a second that could be sent.
        public var target: Int64
        /// How many transports took over from a broken one.
        public var renewals: Int64

        /// Figures.
        public init(roundTrip: Int64?, lossSent: Int64, lossReceived: Int64, target: Int64, renewals: Int64) {
            self.roundTrip = roundTrip
            self.lossSent = lossSent
            self.lossReceived = lossReceived
            self.target = target
            self.renewals = renewals
        }
    }

    /// Bytes of sound, picture and what belongs to them.
    public struct DataUse: Sendable, Hashable {
        /// Bytes sent.
        public var sent: Int64
        /// Bytes received.
        public var received: Int64

        /// Amounts.
        public init(sent: Int64, received: Int64) {
            self.sent = sent
            self.received = received
        }
    }

    /// A call with what is known of every one.
    public init(
        callID: CallID, contact: ContactID, name: String, direction: CallDirection, media: CallMedia, startedAt: Int64,
        answeredAt: Int64? = nil, endedAt: Int64?, duration: Int64? = nil, result: CallResult, reason: CallEndReason?
    ) {
        self.callID = callID
        self.contact = contact
        self.name = name
        self.direction = direction
        self.media = media
        self.startedAt = startedAt
        self.answeredAt = answeredAt
        self.endedAt = endedAt
        self.duration = duration
        self.result = result
        self.reason = reason
    }

    /// Everybody among the contacts of then it was with.
    public var contacts: [ContactID] { [contact] + members.compactMap(\.contact).filter { $0 != contact } }

    /// Whether it came in and nobody here took or declined it.
    public var isMissed: Bool { result.isMissed(direction) }
}
