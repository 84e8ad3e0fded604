/// Who leaves, and why (RTCP BYE, RFC 3550 §6.6).
package struct RTCPGoodbye: Sendable, Equatable {
    /// The reason that says that the call is over, and not only these sources. Browsers say goodbye also for a camera or
    /// microphone that is turned off, and give no reason.
    package static let callEnded = "call ended"
    /// Most sources of one packet: its count has five bits.
    static let maximumCount = 31

    package var sources: [UInt32]
    package var reason: String?

    /// A goodbye of at most ``maximumCount`` sources.
    package init(of sources: [UInt32], reason: String? = nil) {
        self.sources = Array(sources.prefix(Self.maximumCount))
        self.reason = reason
    }

    /// Reads one packet of a compound whose length has been checked; nil when it is shorter than its counts say.
    package init?(_ packet: UnsafeRawBufferPointer) {
        guard packet.count >= 4 else { return nil }
        let end = 4 + 4 * Int(packet[0] & 0x1F)
        guard packet.count >= end else { return nil }
        sources = stride(from: 4, to: end, by: 4).map { packet.word(at: $0) }
        guard packet.count > end else { return }
        let length = Int(packet[end])
        guard packet.count > end + length else { return nil }
        reason = String(decoding: packet[(end + 1)..<(end + 1 + length)], as: UTF8.self)
    }

    /// The bytes of a whole compound: an empty report, the canonical name and the goodbye (RFC 3550 §6.1). Both names may have
    /// at most 255 bytes; what is longer is cut.
    package func compound(canonicalName: String) -> [UInt8] {
        let first = sources.first ?? 0
        // An item's type and length, and at least one zero behind the last item (§6.5).
        let name = [1] + Self.counted(canonicalName)
        return Self.packet(type: 201, count: 0, Self.bytes(first))
            + Self.packet(type: 202, count: 1, Self.bytes(first) + name + [0])
            + Self.packet(
                type: 203, count: sources.count, sources.flatMap(Self.bytes) + (reason.map(Self.counted) ?? []))
    }

    /// A packet, filled up with zeros to whole words.
    private static func packet(type: UInt8, count: Int, _ content: [UInt8]) -> [UInt8] {
        let words = (content.count + 3) / 4
        let padding = [UInt8](repeating: 0, count: 4 * words - content.count)
        return [0x80 | UInt8(count), type, UInt8(words >> 8), UInt8(words & 0xFF)] + content + padding
    }

    /// A text behind its length.
    private static func counted(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(255))
        return [UInt8(bytes.count)] + bytes
    }

    private static func bytes(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}

/// Whether the peer has left the call: it says so for every source that it has sent from.
package struct PeerDeparture: Sendable, Equatable {
    private var present: Set<UInt32> = []
    private(set) var hasLeft = false

    package init() {}

    /// A packet of this source has been authenticated. Their number is bounded by ``SourceBudget``.
    package mutating func heard(_ source: UInt32) { present.insert(source) }

    /// An authenticated goodbye came; true once, when it ends the call.
    ///
    /// Sources that end singly, as those of a muted browser or of a screen that is shared no longer, end no call.
    package mutating func receive(_ goodbye: RTCPGoodbye) -> Bool {
        present.subtract(goodbye.sources)
        guard goodbye.reason == RTCPGoodbye.callEnded, present.isEmpty, !hasLeft else { return false }
        hasLeft = true
        return true
    }
}
