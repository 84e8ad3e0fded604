/// A peer's offer or answer after all checks: what a call may be built on.
package struct PeerDescription: Sendable, Equatable {
    /// Which of the two it is.
    enum Kind: Sendable { case offer, answer }

    /// Whose it is.
    enum Origin: Sendable {
        /// A member's.
        case member
        /// That of a server that forwards media unseen.
        case server
    }

    let description: SessionDescription
    /// The one fingerprint that the peer's certificate must have.
    package let fingerprint: Fingerprint
    /// The m-lines' mids in order.
    package let mids: [String]
    /// What the media engine is told: written anew (``DescriptionWriter``), without candidates, which go through
    /// ``CandidateFilter`` instead.
    package let text: String
    /// The candidates the text held.
    package let candidates: [MediaCandidate]

    /// Reads and checks an offer.
    ///
    /// Throws ``DescriptionError``: no fingerprint, no call; no encryption, no call.
    package init(offer text: String) throws(DescriptionError) {
        try self.init(text, kind: .offer)
    }

    /// Reads and checks the answer to an offer with the given mids.
    package init(answer text: String, offeredMids: [String]) throws(DescriptionError) {
        try self.init(text, kind: .answer)
        guard mids == offeredMids else { throw .midsDiffer }
    }

    /// Reads and checks a forwarding server's offer of what a feed sends: sound, pictures and, unless the feed is an older peer's, a screen's
    /// sound, in this order.
    package init(offerOfServer text: String) throws(DescriptionError) {
        try self.init(text, kind: .offer, origin: .server)
    }

    /// Reads and checks a forwarding server's answer to our offer with the given mids.
    package init(answerOfServer text: String, offeredMids: [String]) throws(DescriptionError) {
        try self.init(text, kind: .answer, origin: .server)
        guard mids == offeredMids else { throw .midsDiffer }
    }

    private init(_ text: String, kind: Kind, origin: Origin = .member) throws(DescriptionError) {
        let description = try SessionDescription(parsing: text)
        try DescriptionCheck.media(description, kind: kind, of: origin)
        try DescriptionCheck.bundle(description)
        try DescriptionCheck.credentials(description)
        try DescriptionCheck.setup(description, kind: kind)
        try DescriptionCheck.codecs(description)
        self.description = description
        fingerprint = try DescriptionCheck.fingerprint(description)
        mids = description.mids
        self.text = try DescriptionWriter.text(
            of: description, fingerprint: fingerprint, style: DescriptionWriter.Style(kind, of: origin))
        candidates = description.media.enumerated().flatMap { index, medium in
            medium.attributes.filter { $0.name == "candidate" }.map {
                MediaCandidate(candidate: "candidate:" + $0.value, mid: medium.mid, mLineIndex: index)
            }
        }
    }
}

extension PeerDescription {
    /// Whether it comes from a peer of the versions before four m-lines: its offer has fewer, its answer does not send on
    /// the screen's (Calls fact sheet §6).
    package var isOlder: Bool {
        guard description.media.count == 4 else { return true }
        return ["recvonly", "inactive"].contains(description.media[2].direction)
    }
}

extension PeerDescription {
    /// What it has sound and pictures written in: of what it names, the first that a call uses.
    package var codecs: MediaStatistics.Codecs {
        func name(_ kind: String) -> String? {
            // Lines behind the first have no port of their own (RFC 9143 §6).
            description.media.first { $0.kind == kind }?.firstCodecName
        }
        return MediaStatistics.Codecs(sound: name("audio"), pictures: name("video"))
    }
}

/// The single rules a peer's description has to meet.
enum DescriptionCheck {
    /// Microphone, camera, screen sound, screen (Calls fact sheet §6); older peers offer the first two only, and for a call
    /// without pictures the first alone. A server has the first three.
    static let kinds = ["audio", "video", "audio", "video"]

    static func media(
        _ description: SessionDescription, kind: PeerDescription.Kind, of origin: PeerDescription.Origin
    ) throws(DescriptionError) {
        let count = description.media.count
        let mayBe =
            switch origin {
            case .member: count == 4 || count == 2 || count == 1 && kind == .offer
            case .server: count == 3 || count == 2
            }
        guard mayBe else { throw .mediaCount(count) }
        var mids: Set<String> = []
        for (index, medium) in description.media.enumerated() {
            guard medium.kind == kinds[index] else { throw .mediaKind(index) }
            guard medium.transport == "UDP/TLS/RTP/SAVPF" else { throw .notEncrypted(index) }
            guard let mid = medium.mid, (1...SessionDescriptionLimits.midLength).contains(mid.utf8.count),
                mid.utf8.allSatisfy(\.isTokenCharacter)
            else { throw .missingMid(index) }
            guard mids.insert(mid).inserted else { throw .duplicateMid(mid) }
        }
    }

    /// One transport for everything, so that one certificate check covers everything.
    static func bundle(_ description: SessionDescription) throws(DescriptionError) {
        let bundles = description.sessionAttributes.filter { $0.name == "group" }
            .map { $0.value.split(separator: " ").map(String.init) }.filter { $0.first == "BUNDLE" }
        guard bundles.count == 1, let bundle = bundles.first, Array(bundle.dropFirst()) == description.mids else {
            throw .notBundled
        }
    }

    static func credentials(_ description: SessionDescription) throws(DescriptionError) {
        for index in description.media.indices {
            // RFC 8839 §5.4: 4 to 256 and 22 to 256 characters.
            guard let fragment = description.value(of: "ice-ufrag", media: index), isICEText(fragment, atLeast: 4),
                let password = description.value(of: "ice-pwd", media: index), isICEText(password, atLeast: 22)
            else { throw .missingICECredentials(index) }
        }
    }

    private static func isICEText(_ text: String, atLeast count: Int) -> Bool {
        (count...256).contains(text.utf8.count) && text.utf8.allSatisfy(\.isICECharacter)
    }

    /// All SHA-256 fingerprints have to be the same, and each m-line needs one; other hash functions are ignored.
    static func fingerprint(_ description: SessionDescription) throws(DescriptionError) -> Fingerprint {
        let ofSession = try fingerprints(description.sessionAttributes)
        var all = ofSession.sha256
        var hasOther = ofSession.hasOther
        var isMissing = false
        for medium in description.media {
            let ofMedium = try fingerprints(medium.attributes)
            all += ofMedium.sha256
            hasOther = hasOther || ofMedium.hasOther
            if ofMedium.sha256.isEmpty && ofSession.sha256.isEmpty { isMissing = true }
        }
        guard let first = all.first else { throw hasOther ? .unsupportedFingerprint : .missingFingerprint }
        guard all.allSatisfy({ $0 == first }) else { throw .conflictingFingerprints }
        guard !isMissing else { throw .missingFingerprint }
        return first
    }

    private static func fingerprints(
        _ attributes: [SessionDescription.Attribute]
    ) throws(DescriptionError) -> (sha256: [Fingerprint], hasOther: Bool) {
        var found: [Fingerprint] = []
        var hasOther = false
        for attribute in attributes where attribute.name == "fingerprint" {
            if let fingerprint = try Fingerprint(attribute: attribute.value) {
                found.append(fingerprint)
            } else {
                hasOther = true
            }
        }
        return (found, hasOther)
    }

    /// RFC 8842 §5: an offer says actpass (or takes a side), an answer has taken one.
    static func setup(_ description: SessionDescription, kind: PeerDescription.Kind) throws(DescriptionError) {
        for index in description.media.indices {
            switch (description.value(of: "setup", media: index), kind) {
            case ("active", _), ("passive", _), ("actpass", .offer): break
            default: throw .setupRole
            }
        }
    }

    static func codecs(_ description: SessionDescription) throws(DescriptionError) {
        for medium in description.media where medium.port != 0 {
            let isAudio = medium.kind == "audio"
            guard medium.payloadType(of: isAudio ? .opus : .vp8) != nil else {
                throw .missingCodec(isAudio ? "opus" : "VP8")
            }
        }
    }
}

extension UInt8 {
    /// RFC 8866 §9, `token-char`.
    fileprivate var isTokenCharacter: Bool {
        (0x21...0x7E).contains(self) && !"\"(),/:;<=>?@[\\]".utf8.contains(self)
    }
}
