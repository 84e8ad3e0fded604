/// The formats of a call, as `a=rtpmap` and `a=fmtp` name them.
enum MediumFormat: Sendable, Equatable {
    case opus, vp8
    /// Packets sent again of the format with this payload type (RFC 4588 §8.1).
    case retransmission(of: Int)
}

/// The header extensions of a call (RFC 8285).
enum HeaderExtension {
    static let mid = "urn:ietf:params:rtp-hdrext:sdes:mid"
    static let feedback = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    /// When a packet left (``SendTime``).
    static let sendTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
    static let all = [mid, feedback]
    /// Those of what a forwarding server sends.
    static let ofServer = [mid, sendTime]
}

extension Int {
    /// A payload type (RFC 3550 §5.1: seven bits).
    fileprivate init?(payloadType text: some StringProtocol) {
        guard let number = UInt8(digits: text), number < 128 else { return nil }
        self = Int(number)
    }
}

extension SessionDescription.Medium {
    /// The formats of a call among those it lists, by payload type and in its order, which says what is preferred. Of several
    /// mappings of one type the first counts. Names and clock rates are those of RFC 7587 §7 and RFC 7741 §6.1.
    var knownFormats: [(payloadType: Int, format: MediumFormat)] {
        let codec: (name: String, format: MediumFormat) =
            kind == "audio" ? ("opus/48000/2", .opus) : ("vp8/90000", .vp8)
        let maps = byPayloadType("rtpmap").mapValues { $0.lowercased() }
        let parameters = byPayloadType("fmtp")
        let types = formats.compactMap { Int(payloadType: $0) }.uniqued()
        let media = types.filter { maps[$0] == codec.name }
        return types.compactMap { type in
            if media.contains(type) { return (type, codec.format) }
            guard maps[type] == (kind == "audio" ? "rtx/48000" : "rtx/90000"),
                let kept = parameters[type]?.split(whereSeparator: { $0 == ";" || $0 == " " })
                    .first(where: { $0.hasPrefix("apt=") }).flatMap({ Int(payloadType: $0.dropFirst(4)) }),
                media.contains(kept)
            else { return nil }
            return (type, .retransmission(of: kept))
        }
    }

    /// The name, as it is written, of the first of its formats that a call uses.
    var firstCodecName: String? {
        let first = knownFormats.first { $0.format == .opus || $0.format == .vp8 }
        guard let type = first?.payloadType else { return nil }
        return byPayloadType("rtpmap")[type]?.prefix { $0 != "/" }.description
    }

    /// The attributes whose values begin with a payload type: what the first of each says.
    private func byPayloadType(_ name: String) -> [Int: Substring] {
        var found: [Int: Substring] = [:]
        for value in values(of: name) {
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let type = Int(payloadType: parts[0]), found[type] == nil else { continue }
            found[type] = parts[1]
        }
        return found
    }

    /// The preferred payload type of a format.
    func payloadType(of format: MediumFormat) -> Int? { knownFormats.first { $0.format == format }?.payloadType }

    /// The header extensions of a call by the id that `a=extmap` gives them, 1 to 14 (RFC 8285 §4.2).
    var knownExtensions: [Int: String] { extensions(among: HeaderExtension.all) }

    /// Those of the given ones, likewise.
    func extensions(among uris: [String]) -> [Int: String] {
        var known: [Int: String] = [:]
        for value in values(of: "extmap") {
            let parts = value.split(separator: " ")
            guard parts.count >= 2, let uri = uris.first(where: { $0 == parts[1] }),
                let id = UInt8(digits: parts[0].prefix { $0 != "/" }), (1...14).contains(id), known[Int(id)] == nil,
                !known.values.contains(uri)
            else { continue }
            known[Int(id)] = uri
        }
        return known
    }

    /// What feedback it takes about each payload type (`a=rtcp-fb`, RFC 4585 §4.2), of that which a call uses.
    func feedback(about payloadType: Int) -> [String] {
        let used = ["nack", "nack pli", "ccm fir", "transport-cc"]
        let values = values(of: "rtcp-fb").compactMap { value -> String? in
            let parts = value.split(separator: " ")
            guard let first = parts.first, first == "*" || Int(payloadType: first) == payloadType else { return nil }
            return parts.dropFirst().joined(separator: " ")
        }
        return used.filter(values.contains)
    }

    /// Whether it sends and receives; without a word on it, both (RFC 8866 §6.7).
    var direction: String? { attributes.first { Self.directions.contains($0.name) }?.name }

    private static let directions = ["sendrecv", "sendonly", "recvonly", "inactive"]

    /// The sources it announces (`a=ssrc`, RFC 5576 §4.1), each once.
    var sources: [UInt32] {
        values(of: "ssrc").compactMap { UInt32(digits: $0.prefix { $0 != " " }) }.uniqued()
    }

    /// Pairs of a source and the one of its retransmissions (`a=ssrc-group:FID`, RFC 5576 §4.2).
    var retransmissionPairs: [[UInt32]] {
        let known = Set(sources)
        return values(of: "ssrc-group").compactMap { value in
            let parts = value.split(separator: " ")
            guard parts.first == "FID" else { return nil }
            let pair = parts.dropFirst().compactMap { UInt32(digits: $0) }
            return pair.count == 2 && parts.count == 3 && known.isSuperset(of: pair) ? pair : nil
        }.uniqued()
    }
}

extension Array where Element: Hashable {
    /// Each element once, where it is first.
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
