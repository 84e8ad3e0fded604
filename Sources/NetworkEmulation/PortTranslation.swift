import BaseKit

/// The port numbers that a router has given to what the machine behind it sends, as it may forget them.
///
/// Before the first ``forget()`` it is no router at all: every port is seen outside as it is. From then on each port of UDP and TCP
/// that sends gets a number of its own outside, whoever it sends to, and what comes for a number that is not in use is dropped.
/// Addresses stay; neither side is told.
struct PortTranslation: Sendable, Equatable {
    /// Ports outside are taken from here on: above those that systems give out (RFC 6335 §6 counts from 49,152, Linux up to 60,999).
    private static let first: UInt16 = 61_000

    private struct Flow: Sendable, Hashable {
        var isTCP: Bool
        var port: UInt16
    }

    private var isOn = false
    private var next = Self.first
    private var outside: [Flow: UInt16] = [:]
    private var inside: [Flow: UInt16] = [:]

    /// All numbers given so far are of no use any more.
    mutating func forget() {
        isOn = true
        (outside, inside) = ([:], [:])
    }

    /// A packet on its way out, as the others see it.
    mutating func outward(_ packet: [UInt8]) -> [UInt8] {
        guard isOn, let header = PortHeader(of: packet), let port = header.source(in: packet) else { return packet }
        let flow = Flow(isTCP: header.isTCP, port: port)
        let number = outside[flow] ?? give(flow)
        return header.with(port: number, at: header.start, in: packet)
    }

    /// A packet on its way in, as the machine sees it; nil when the router does not know where it belongs.
    func inward(_ packet: [UInt8]) -> [UInt8]? {
        guard isOn, let header = PortHeader(of: packet), let port = header.destination(in: packet) else {
            return packet
        }
        guard let known = inside[Flow(isTCP: header.isTCP, port: port)] else { return nil }
        return header.with(port: known, at: header.start + 2, in: packet)
    }

    private mutating func give(_ flow: Flow) -> UInt16 {
        let number = next
        next = next == .max ? Self.first : next + 1
        outside[flow] = number
        inside[Flow(isTCP: flow.isTCP, port: number)] = flow.port
        return number
    }
}

/// Where the ports of a packet of UDP or TCP are, and their checksum.
private struct PortHeader {
    let isTCP: Bool
    let start: Int
    private let checksum: Int

    /// Nil for other packets, for parts of packets and for such as are too short.
    init?(of packet: [UInt8]) {
        let tapped = TappedPacket(time: Instant(sinceStart: .zero), direction: .forward, bytes: packet)
        guard let start = tapped.payloadStart, packet.count >= start + 20 || tapped.payload == .udp,
            packet.count >= start + 8, !tapped.isLaterFragment
        else { return nil }
        switch tapped.payload {
        case .udp: (isTCP, checksum) = (false, start + 6)
        case .tcp: (isTCP, checksum) = (true, start + 16)
        case .icmp, .other, nil: return nil
        }
        self.start = start
    }

    func source(in packet: [UInt8]) -> UInt16? { Self.word(packet, start) }
    func destination(in packet: [UInt8]) -> UInt16? { Self.word(packet, start + 2) }

    /// The packet with another port, and the checksum that fits (RFC 1624 §3).
    func with(port: UInt16, at place: Int, in packet: [UInt8]) -> [UInt8] {
        var changed = packet
        let old = Self.word(packet, place)
        let sum = Self.word(packet, checksum)
        Self.put(port, &changed, place)
        // Without a checksum it stays without (RFC 768).
        guard isTCP || sum != 0 else { return changed }
        var total = UInt32(~sum) + UInt32(~old) + UInt32(port)
        while total > 0xFFFF { total = total >> 16 + total & 0xFFFF }
        let new = ~UInt16(truncatingIfNeeded: total)
        Self.put(!isTCP && new == 0 ? 0xFFFF : new, &changed, checksum)
        return changed
    }

    private static func word(_ packet: [UInt8], _ place: Int) -> UInt16 {
        UInt16(packet[place]) << 8 | UInt16(packet[place + 1])
    }

    private static func put(_ word: UInt16, _ packet: inout [UInt8], _ place: Int) {
        packet[place] = UInt8(word >> 8)
        packet[place + 1] = UInt8(truncatingIfNeeded: word)
    }
}
