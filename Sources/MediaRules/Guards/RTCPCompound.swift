/// A compound of RTCP packets (RFC 3550 §6.1), checked as far as the RTP session would follow its lengths and counts.
package struct RTCPCompound: Sendable, Equatable {
    /// All who say something about themselves in it: the RTP session remembers each.
    package private(set) var sources: [UInt32] = []
    /// Who leaves.
    package private(set) var goodbyes: [RTCPGoodbye] = []
    /// The sources of which a packet is wanted again (RFC 4585 §6.2.1) or a key frame (§6.3.1; RFC 5104 §4.3.1).
    package private(set) var wanted: [UInt32] = []
    /// Those of them of which it is a key frame.
    package private(set) var keyFrames: [UInt32] = []
    /// What the sender says of what it gets, where it does.
    package private(set) var reception: ReceptionReport?
    /// Whether it gives feedback on each packet.
    package private(set) var hasTransportFeedback = false
    /// The sizes at which the sender shows our pictures, where it tells them.
    package private(set) var views: [PeerView] = []
    /// What the sender says of its sources, where it says so.
    package private(set) var statement: MediaStatement?

    /// Reads it; nil when it is malformed.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            guard rest.count >= 4, rest[0] >> 6 == 2 else { return nil }
            let length = 4 * (rest.half(at: 2) + 1)
            guard length <= rest.count else { return nil }
            let packet = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length))
            // Padding is for the last packet only (RFC 3550 §6.4.1).
            guard packet[0] & 0x20 == 0 || rest.isEmpty, add(packet) else { return nil }
        }
    }

    private mutating func add(_ packet: UnsafeRawBufferPointer) -> Bool {
        let count = Int(packet[0] & 0x1F)
        switch packet[1] {
        case 200: return addReport(packet, size: 28 + 24 * count) && addBlocks(packet, from: 28, count: count)
        case 201: return addReport(packet, size: 8 + 24 * count) && addBlocks(packet, from: 8, count: count)
        case 202: return addDescriptions(packet, count: count)
        case 203: return addGoodbye(packet)
        case 204:
            if let view = PeerView(packet) { views.append(view) }
            statement = StatementPacket(packet)?.statement ?? statement
            return addReport(packet, size: 12)
        case 205 where count == 15:
            hasTransportFeedback = true
            return addReport(packet, size: 20) && TransportFeedback.isWellFormed(packet)
        case 206 where count == 15:
            if let estimate = Self.estimate(packet) {
                reception = ReceptionReport(loss: reception?.loss, estimate: estimate)
            }
            return addReport(packet, size: 12)
        case 205 where count == 1: return addWish(packet)
        case 206 where count == 1:
            guard addWish(packet) else { return false }
            keyFrames.append(packet.word(at: 8))
            return true
        case 206 where count == 4: return addKeyFrameWishes(packet)
        case 205, 206: return addReport(packet, size: 12)
        // Unknown ones are passed over by their length (RFC 3550 §6.1).
        default: return true
        }
    }

    private mutating func addReport(_ packet: UnsafeRawBufferPointer, size: Int) -> Bool {
        guard packet.count >= size else { return false }
        sources.append(packet.word(at: 4))
        return true
    }

    /// RFC 3550 §6.4.1: of each source, the part lost since the last report, in 256ths.
    private mutating func addBlocks(_ packet: UnsafeRawBufferPointer, from start: Int, count: Int) -> Bool {
        for index in 0..<count {
            let lost = Double(packet[start + 24 * index + 4]) / 256
            reception = ReceptionReport(loss: max(reception?.loss ?? 0, lost), estimate: reception?.estimate)
        }
        return true
    }

    /// draft-alvestrand-rmcat-remb-03 §2.2: an exponent of 6 bits and a mantissa of 18.
    private static func estimate(_ packet: UnsafeRawBufferPointer) -> Int? {
        guard packet.count >= 20, packet[12..<16].elementsEqual("REMB".utf8) else { return nil }
        let exponent = Int(packet[17] >> 2)
        let mantissa = Int(packet[17] & 3) << 16 | packet.half(at: 18)
        // More than any link has; it must not overflow.
        return exponent > 40 ? 1 << 58 : mantissa << exponent
    }

    private mutating func addWish(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard addReport(packet, size: 12) else { return false }
        wanted.append(packet.word(at: 8))
        return true
    }

    /// Entries of eight bytes, which begin with the source; the source of the packet itself says nothing.
    private mutating func addKeyFrameWishes(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard addReport(packet, size: 12) else { return false }
        let sources = stride(from: 12, through: packet.count - 8, by: 8).map { packet.word(at: $0) }
        wanted += sources
        keyFrames += sources
        return true
    }

    private mutating func addGoodbye(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard let goodbye = RTCPGoodbye(packet) else { return false }
        goodbyes.append(goodbye)
        return true
    }

    /// RFC 3550 §6.5: each chunk has a source and items, which end with a zero and padding to four bytes.
    private mutating func addDescriptions(_ packet: UnsafeRawBufferPointer, count: Int) -> Bool {
        var place = 4
        for _ in 0..<count {
            guard place + 5 <= packet.count else { return false }
            sources.append(packet.word(at: place))
            place += 4
            while place < packet.count, packet[place] != 0 {
                guard place + 1 < packet.count else { return false }
                place += 2 + Int(packet[place + 1])
            }
            guard place < packet.count else { return false }
            place = (place / 4 + 1) * 4
        }
        return place <= packet.count
    }
}

/// Feedback about each packet (draft-holmer-rmcat-transport-wide-cc-extensions-01 §3.1).
enum TransportFeedback {
    /// Most packets that one may be about. 16 bits could say 65,535, in a few bytes.
    static let maximumCount = 4_096

    /// Whether its chunks and times are as many as it says. `packet` has at least 20 bytes.
    static func isWellFormed(_ packet: UnsafeRawBufferPointer) -> Bool {
        let count = packet.half(at: 14)
        guard count <= maximumCount else { return false }
        let padding = packet[0] & 0x20 != 0 ? Int(packet[packet.count - 1]) : 0
        let end = packet.count - padding
        var (place, seen, size) = (20, 0, 0)
        while seen < count {
            guard place + 2 <= end else { return false }
            let chunk = packet.half(at: place)
            place += 2
            let room = count - seen
            if chunk & 0x8000 == 0 {
                let length = min(chunk & 0x1FFF, room)
                guard length > 0 else { return false }
                size += length * deltaSize(symbol: chunk >> 13 & 3)
                seen += length
            } else {
                let isLong = chunk & 0x4000 != 0
                let symbols = min(isLong ? 7 : 14, room)
                for index in 0..<symbols {
                    size += deltaSize(symbol: isLong ? chunk >> (12 - 2 * index) & 3 : chunk >> (13 - index) & 1)
                }
                seen += symbols
            }
        }
        return place + size <= end
    }

    /// 0: not received; 1: a time of one byte; 2: one of two bytes; 3 is reserved.
    private static func deltaSize(symbol: Int) -> Int { symbol == 3 ? 0 : symbol }
}
