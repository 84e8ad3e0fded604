/// The sources of a camera of which small pictures are sent besides the large ones, for a forwarding server to choose from.
package struct SentLayers: Sendable, Equatable {
    package var large: UInt32
    package var small: UInt32
    /// That of small pictures' packets that are sent again.
    package var smallAgain: UInt32

    /// Small pictures of a source of its own beside these.
    package init(large: UInt32) {
        self.large = large
        small = UInt32.random(in: 1...UInt32.max)
        smallAgain = UInt32.random(in: 1...UInt32.max)
    }
}

/// How an offer to a forwarding server says that pictures come in two sizes: by a group of sources, the small ones first
/// (`a=ssrc-group:SIM`, as browsers said it before RFC 8853; Janus 1.1.2 reads it). What is sent stays plain RTP of two sources.
package enum LayerAnnouncement {
    /// The same text, in which the large pictures' source is announced already, with the small ones'.
    package static func added(to text: String, _ layers: SentLayers) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        let prefix = "a=ssrc:\(layers.large) "
        let pair = "a=ssrc-group:FID \(layers.large) "
        guard let first = lines.firstIndex(where: { $0.hasPrefix(prefix) || $0.hasPrefix(pair) }) else { return text }
        let isRepeated = lines.contains { $0.hasPrefix(pair) }
        var added = ["a=ssrc-group:SIM \(layers.small) \(layers.large)"]
        if isRepeated { added.append("a=ssrc-group:FID \(layers.small) \(layers.smallAgain)") }
        for line in lines where line.hasPrefix(prefix) {
            let attribute = line.dropFirst(prefix.count)
            added.append("a=ssrc:\(layers.small) \(attribute)")
            if isRepeated { added.append("a=ssrc:\(layers.smallAgain) \(attribute)") }
        }
        return (lines[..<first].map(String.init) + added + lines[first...].map(String.init)).map { $0 + "\r\n" }
            .joined()
    }

    /// By which sources packets are sent again, by the source that sent them first (RFC 5576 §4.2).
    package static func repeaters(in text: String) -> [UInt32: UInt32] {
        let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (UInt32, UInt32)? in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "a=ssrc-group:FID", let first = UInt32(words[1]),
                let second = UInt32(words[2])
            else { return nil }
            return (first, second)
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
