/// Writes a peer's checked description anew for the media engine: only what was understood, in our own words.
///
/// The engine reads the text a second time, with a parser of its own. Nothing that we passed over, or read in another way, may
/// reach that one: so no line of the peer's is handed on. Candidates travel through ``CandidateFilter``; sources have no names; all
/// parameters of formats are left out but those that tell what is sent again.
enum DescriptionWriter {
    /// What is written in another way than it was read.
    enum Style: Sendable {
        /// Nothing.
        case member
        /// A forwarding server's offer: it only sends. It takes the active part in DTLS, so that we are its server: as its client one
        /// in four connections lost the first flight and took a second longer (Janus 1.1.2). Feedback on each packet it doesn't heed.
        case serverOffer
        /// A forwarding server's answer: it only takes.
        case serverAnswer

        init(_ kind: PeerDescription.Kind, of origin: PeerDescription.Origin) {
            switch (origin, kind) {
            case (.member, _): self = .member
            case (.server, .offer): self = .serverOffer
            case (.server, .answer): self = .serverAnswer
            }
        }

        fileprivate func setup(_ value: String) -> String {
            self == .serverOffer && value == "actpass" ? "active" : value
        }

        fileprivate func direction(_ value: String?) -> String? {
            switch self {
            case .member: value
            case .serverOffer: "sendonly"
            case .serverAnswer: value == "inactive" ? value : "recvonly"
            }
        }

        fileprivate var extensions: [String] { self == .serverOffer ? HeaderExtension.ofServer : HeaderExtension.all }

        fileprivate func takes(_ feedback: String) -> Bool { self != .serverOffer || feedback != "transport-cc" }
    }

    /// The text. The description has passed ``DescriptionCheck``.
    static func text(
        of description: SessionDescription, fingerprint: Fingerprint, style: Style = .member
    ) throws(DescriptionError) -> String {
        var lines = ["v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0"]
        lines.append("a=group:BUNDLE " + description.mids.joined(separator: " "))
        if description.sessionAttributes.contains(where: { $0.name == "ice-lite" }) { lines.append("a=ice-lite") }
        for index in description.media.indices {
            lines += try self.lines(of: index, in: description, style)
            lines.append("a=fingerprint:" + fingerprint.attribute)
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    private static func lines(
        of index: Int, in description: SessionDescription, _ style: Style
    ) throws(DescriptionError) -> [String] {
        let medium = description.media[index]
        let formats = medium.knownFormats
        // An m-line needs a format; where none is known it is refused, or will be.
        let types = formats.isEmpty ? "0" : formats.map { String($0.payloadType) }.joined(separator: " ")
        var lines = ["m=\(medium.kind) \(medium.port == 0 ? 0 : 9) \(medium.transport) \(types)", "c=IN IP4 0.0.0.0"]
        lines.append("a=mid:\(medium.mid ?? "")")
        for name in ["ice-ufrag", "ice-pwd"] {
            if let value = description.value(of: name, media: index) { lines.append("a=\(name):\(value)") }
        }
        if let value = description.value(of: "setup", media: index) { lines.append("a=setup:" + style.setup(value)) }
        if let direction = style.direction(medium.direction) { lines.append("a=" + direction) }
        for flag in ["rtcp-mux", "rtcp-rsize", "bundle-only"] where medium[flag] != nil { lines.append("a=" + flag) }
        for (type, format) in formats { lines += self.lines(of: type, format, in: medium, style) }
        lines += medium.extensions(among: style.extensions).sorted { $0.key < $1.key }.map {
            "a=extmap:\($0.key) \($0.value)"
        }
        let sources = medium.sources
        guard sources.count <= SessionDescriptionLimits.sources else { throw .tooManySources(index) }
        lines += medium.retransmissionPairs.map { "a=ssrc-group:FID \($0[0]) \($0[1])" }
        lines += sources.map { "a=ssrc:\($0) cname:peer" }
        return lines
    }

    private static func lines(
        of type: Int, _ format: MediumFormat, in medium: SessionDescription.Medium, _ style: Style
    ) -> [String] {
        let feedback = medium.feedback(about: type).filter(style.takes).map { "a=rtcp-fb:\(type) \($0)" }
        switch format {
        case .opus: return ["a=rtpmap:\(type) opus/48000/2"] + feedback
        case .vp8: return ["a=rtpmap:\(type) VP8/90000"] + feedback
        case .retransmission(let kept):
            let clock = medium.kind == "audio" ? 48_000 : 90_000
            return ["a=rtpmap:\(type) rtx/\(clock)", "a=fmtp:\(type) apt=\(kept)"]
        }
    }
}
