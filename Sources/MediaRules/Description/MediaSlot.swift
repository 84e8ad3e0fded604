/// The four m-lines of a call in their order (Calls fact sheet §6). The number is the m-line's index.
package enum MediaSlot: Int, Sendable, CaseIterable {
    case microphone = 0
    case camera = 1
    case screenSound = 2
    case screen = 3

    package var kind: FrameKind { self == .microphone || self == .screenSound ? .audio : .video }
}

/// How the RTP packets of one m-line are labelled.
package struct MediaLabel: Sendable, Equatable {
    package var slot: MediaSlot
    package var mid: String
    package var payloadType: Int
    /// Header extension ids by URI.
    var extensions: [Int: String]
    /// Written into the description from the start: peers drop media whose source is not announced.
    package var ssrc: UInt32

    /// The label of an m-line that we offer.
    package init(offering slot: MediaSlot) {
        self.slot = slot
        mid = String(slot.rawValue)
        payloadType = slot.kind == .audio ? 111 : 96
        extensions = [1: HeaderExtension.mid, 3: HeaderExtension.feedback]
        ssrc = UInt32.random(in: 1...UInt32.max)
    }

    /// The label of an m-line of a peer's offer: its mid, payload type and extension ids.
    package init?(answering slot: MediaSlot, of offer: PeerDescription) {
        guard offer.description.media.indices.contains(slot.rawValue) else { return nil }
        let medium = offer.description.media[slot.rawValue]
        guard let payloadType = medium.payloadType(of: slot.kind == .audio ? .opus : .vp8) else { return nil }
        self.slot = slot
        mid = medium.mid ?? ""
        self.payloadType = payloadType
        extensions = medium.knownExtensions
        ssrc = UInt32.random(in: 1...UInt32.max)
    }

    /// The label of an m-line of a forwarding server's offer, on which only the server sends.
    package init?(receiving slot: MediaSlot, of offer: PeerDescription) {
        self.init(answering: slot, of: offer)
        extensions = offer.description.media[slot.rawValue].extensions(among: HeaderExtension.ofServer)
    }

    /// The number of the extension by which packets tell when they left; nil without.
    package var sendTimeExtension: Int? { extensions.first { $0.value == HeaderExtension.sendTime }?.key }

    /// The label as the caps of an RTP stream. The mid is quoted: it may come from the peer.
    package var caps: String {
        "application/x-rtp,\(codec),payload=\(payloadType),ssrc=(uint)\(ssrc),a-mid=(string)\(Self.quoted(mid))"
            + ",rtcp-fb-transport-cc=true" + maps
    }

    /// The caps of what the m-line takes, of which nothing is sent.
    package var receivingCaps: String {
        "application/x-rtp,\(codec),payload=\(payloadType),a-mid=(string)\(Self.quoted(mid))" + maps
    }

    private var codec: String {
        switch slot.kind {
        // Without useinbandfec a browser sends none (RFC 7587 §6.1).
        case .audio:
            "media=audio,encoding-name=OPUS,clock-rate=48000,encoding-params=(string)2"
                + ",minptime=(string)10,useinbandfec=(string)1"
        case .video: "media=video,encoding-name=VP8,clock-rate=90000,rtcp-fb-nack-pli=true,rtcp-fb-ccm-fir=true"
        }
    }

    private var maps: String {
        extensions.sorted { $0.key < $1.key }.map { ",extmap-\($0.key)=(string)\(Self.quoted($0.value))" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
