/// Splits the feedback in a compound of RTCP packets so that a forwarding server heeds each.
///
/// Janus 1.1.2 takes a whole compound as being about the source of its first report block, drops a wish for a key frame that comes
/// without one, and doesn't know the FIR of RFC 5104: wishes of webrtcbin never reached the sender. So each wish leaves in a packet of its own, behind a
/// receiver report with the one block about its source, and a FIR as the PLI of RFC 4585 §6.3.1. The rest stays as it is, in front.
/// Such packets are what RFC 5506 §3.4.2 allows, so that other servers read them too. What it has split it leaves as it is.
package struct FeedbackSplitter: Sendable {
    /// How many wishes of one compound are taken apart; one with more is left as it is.
    static let mostWishes = 31
    /// Of how many sources the last report block is kept.
    static let mostBlocks = 16
    private static let blockSize = 24, headerSize = 8

    /// The last report block about each source: a compound of reduced size has none (RFC 5506).
    private var blocks: [UInt32: [UInt8]] = [:]

    package init() {}

    /// One wish: its sender, the source that it is about, and its packet.
    private struct Wish {
        var sender: UInt32
        var source: UInt32
        var packet: [UInt8]
    }

    private struct Parts {
        var rest: [UInt8] = []
        var wishes: [Wish] = []
        /// Sources of all report blocks that stand in the rest.
        var reported: [UInt32] = []
        /// Whether anything in it is to be written otherwise, or is of more than reports.
        var isRewritten = false
        var hasOthers = false
    }

    /// The packets that leave in the place of a compound; nil when it stays as it is, as does one that is malformed.
    package mutating func split(_ compound: UnsafeRawBufferPointer) -> [[UInt8]]? {
        guard let parts = read(compound), !parts.wishes.isEmpty, parts.wishes.count <= Self.mostWishes else {
            return nil
        }
        if parts.wishes.count == 1, !parts.isRewritten, !parts.hasOthers, parts.reported == [parts.wishes[0].source] {
            return nil
        }
        let wishes = parts.wishes.map { wish in
            Self.report(of: wish.sender, block: blocks[wish.source] ?? Self.emptyBlock(wish.source)) + wish.packet
        }
        return (parts.rest.isEmpty ? [] : [parts.rest]) + wishes
    }

    private mutating func read(_ compound: UnsafeRawBufferPointer) -> Parts? {
        var (parts, start) = (Parts(), 0)
        while start < compound.count {
            guard compound.count - start >= 4, compound[start] >> 6 == 2 else { return nil }
            let end = start + 4 * (compound.half(at: start + 2) + 1)
            guard end <= compound.count else { return nil }
            let packet = UnsafeRawBufferPointer(rebasing: compound[start..<end])
            guard add(packet, to: &parts) else { return nil }
            start = end
        }
        return parts
    }

    private mutating func add(_ packet: UnsafeRawBufferPointer, to parts: inout Parts) -> Bool {
        let count = Int(packet[0] & 0x1F)
        switch (packet[1], count) {
        case (200, _), (201, _):
            let first = packet[1] == 200 ? 28 : Self.headerSize
            guard packet.count >= first + Self.blockSize * count else { return false }
            if packet[1] == 200 || parts.rest.count > 0 { parts.hasOthers = true }
            for index in 0..<count { keep(packet, at: first + Self.blockSize * index, in: &parts) }
            parts.rest += packet
        // Several entries of eight bytes, each about a source (RFC 5104 §4.3.1.1).
        case (206, 4):
            guard packet.count >= 12 else { return false }
            parts.isRewritten = true
            let sender = packet.word(at: 4)
            for place in stride(from: 12, through: packet.count - 8, by: 8) where parts.wishes.count <= Self.mostWishes
            {
                let source = packet.word(at: place)
                parts.wishes.append(
                    Wish(sender: sender, source: source, packet: Self.pictureLoss(from: sender, of: source)))
            }
        // About a source by its place (RFC 4585 §6.1); not feedback on each packet, nor an estimate for all.
        case (205, 1), (206, 1), (206, 2), (206, 3):
            guard packet.count >= 12 else { return false }
            let wish = Wish(sender: packet.word(at: 4), source: packet.word(at: 8), packet: Array(packet))
            if parts.wishes.count <= Self.mostWishes { parts.wishes.append(wish) }
        default:
            parts.hasOthers = true
            parts.rest += packet
        }
        return true
    }

    private mutating func keep(_ packet: UnsafeRawBufferPointer, at place: Int, in parts: inout Parts) {
        let source = packet.word(at: place)
        parts.reported.append(source)
        if blocks.count >= Self.mostBlocks, blocks[source] == nil { blocks = [:] }
        blocks[source] = Array(packet[place..<place + Self.blockSize])
    }

    /// A receiver report with one block (RFC 3550 §6.4.2).
    private static func report(of sender: UInt32, block: [UInt8]) -> [UInt8] {
        [0x81, 201, 0, 7] + bytes(sender) + block
    }

    /// A block that says nothing but the source.
    private static func emptyBlock(_ source: UInt32) -> [UInt8] {
        bytes(source) + [UInt8](repeating: 0, count: blockSize - 4)
    }

    /// A picture loss indication (RFC 4585 §6.3.1).
    private static func pictureLoss(from sender: UInt32, of source: UInt32) -> [UInt8] {
        [0x81, 206, 0, 2] + bytes(sender) + bytes(source)
    }

    private static func bytes(_ word: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
}
