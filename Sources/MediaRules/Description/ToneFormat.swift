/// Tones in a session description: `telephone-event` on the clock of the voice (RFC 4733 §2.5.1.1), in the first m-line only.
package enum ToneFormat {
    static let name = "telephone-event/48000"

    /// The payload type of tones in a description's first m-line; nil when it has none.
    static func payloadType(in description: SessionDescription) -> Int? {
        guard let medium = description.media.first, medium.kind == "audio" else { return nil }
        let types = Set(medium.formats.compactMap { UInt8(digits: $0) }.filter { $0 < 128 })
        for value in medium.values(of: "rtpmap") {
            let words = value.split(separator: " ", maxSplits: 1)
            if words.count == 2, words[1].lowercased() == name, let type = UInt8(digits: words[0]), types.contains(type)
            {
                return Int(type)
            }
        }
        return nil
    }

    /// One for tones that a description does not use.
    package static func freePayloadType(_ used: Set<Int>) -> Int? {
        ([110] + Array(96...127)).first { !used.contains($0) }
    }

    /// A text with tones in its first m-line.
    package static func adding(_ payloadType: Int, to text: String) -> String {
        var lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("m=audio ") }) else { return text }
        let next = lines[(first + 1)...].firstIndex { $0.hasPrefix("m=") } ?? lines.endIndex
        lines.insert(contentsOf: ["a=rtpmap:\(payloadType) \(name)", "a=fmtp:\(payloadType) 0-15"], at: next)
        lines[first] += " \(payloadType)"
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension PeerDescription {
    /// The payload type of tones, where the peer names one that it uses for nothing else.
    package var tonePayloadType: Int? {
        guard let type = ToneFormat.payloadType(in: description) else { return nil }
        let others = description.media.flatMap { $0.knownFormats.map(\.payloadType) }
        return others.contains(type) ? nil : type
    }
}
