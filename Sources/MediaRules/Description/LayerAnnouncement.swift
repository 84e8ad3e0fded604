/// The sources of a camera of which smaller pictures are sent besides the large ones, for a forwarding server to choose from.
package struct SentLayers: Sendable, Equatable {
    /// Those of pictures in one of the smaller sizes.
    package struct Smaller: Sendable, Equatable {
        package var source: UInt32
        /// That of their packets that are sent again.
        package var again: UInt32

        package init(source: UInt32, again: UInt32) { (self.source, self.again) = (source, again) }

        fileprivate static func random() -> Smaller {
            Smaller(source: UInt32.random(in: 1...UInt32.max), again: UInt32.random(in: 1...UInt32.max))
        }
    }

    package let large: UInt32
    package let low: Smaller
    package let lowest: Smaller

    /// Smaller pictures of sources of their own beside these.
    package init(large: UInt32) { self.init(large: large, low: .random(), lowest: .random()) }

    package init(large: UInt32, low: Smaller, lowest: Smaller) {
        (self.large, self.low, self.lowest) = (large, low, lowest)
    }

    /// Those of smaller pictures, the smallest first.
    fileprivate var smaller: [Smaller] { [lowest, low] }

    /// Whether pictures are sent by a source.
    package func contains(_ source: UInt32) -> Bool {
        source == large || smaller.contains { $0.source == source }
    }
}

/// How an offer to a forwarding server says that pictures come in several sizes: by a group of sources, the smallest ones first
/// (`a=ssrc-group:SIM`, as browsers said it before RFC 8853; Janus 1.1.2 reads up to three). What is sent stays plain RTP of as many sources.
package enum LayerAnnouncement {
    /// The same text, in which the large pictures' source is announced already, with the smaller ones'.
    package static func added(to text: String, _ layers: SentLayers) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        let prefix = "a=ssrc:\(layers.large) "
        let pair = "a=ssrc-group:FID \(layers.large) "
        guard let first = lines.firstIndex(where: { $0.hasPrefix(prefix) || $0.hasPrefix(pair) }) else { return text }
        let isRepeated = lines.contains { $0.hasPrefix(pair) }
        let all = layers.smaller.map(\.source) + [layers.large]
        var added = ["a=ssrc-group:SIM \(all.map(String.init).joined(separator: " "))"]
        for smaller in layers.smaller {
            if isRepeated { added.append("a=ssrc-group:FID \(smaller.source) \(smaller.again)") }
            for line in lines where line.hasPrefix(prefix) {
                let attribute = line.dropFirst(prefix.count)
                added.append("a=ssrc:\(smaller.source) \(attribute)")
                if isRepeated { added.append("a=ssrc:\(smaller.again) \(attribute)") }
            }
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
