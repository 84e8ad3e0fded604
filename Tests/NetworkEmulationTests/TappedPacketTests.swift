import TestSupport
import Testing

@testable import NetworkEmulation

@Suite(.timeLimit(.minutes(5))) struct TappedPacketTests {
    private func packet(_ bytes: [UInt8]) -> TappedPacket {
        TappedPacket(time: at(0), direction: .forward, bytes: bytes)
    }

    /// From 10.89.0.1:1000 to 192.0.2.7:53, three bytes.
    private let ipv4: [UInt8] =
        [0x45, 0, 0, 31, 0, 0, 0, 0, 64, 17, 0, 0, 10, 89, 0, 1, 192, 0, 2, 7] + [0x03, 0xE8, 0, 53, 0, 11, 0, 0] + [
            1, 2, 3,
        ]

    private func ipv6(next: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0x60, 0, 0, 0, 0, UInt8(content.count), next, 64] + [0xFD, 0x89] + [UInt8](repeating: 0, count: 13) + [1]
            + [0xFD, 0x89] + [UInt8](repeating: 0, count: 13) + [2] + content
    }

    @Test func `the headers of a packet of IPv4 are read`() {
        let packet = packet(ipv4)
        #expect(packet.payload == .udp)
        #expect(packet.source == "10.89.0.1" && packet.sourcePort == 1_000)
        #expect(packet.destination == "192.0.2.7" && packet.destinationPort == 53)
        #expect(packet.datagram.map(Array.init) == [1, 2, 3])
        #expect(packet.segment == nil)
    }

    @Test func `the headers of a packet of IPv6 are read`() {
        let header: [UInt8] = [0x03, 0xE8, 0, 80] + [UInt8](repeating: 0, count: 8) + [0x50, 0, 0, 0, 0, 0, 0, 0]
        let packet = packet(ipv6(next: 6, header + [9]))
        #expect(packet.payload == .tcp)
        #expect(packet.source == "fd89::1" && packet.destination == "fd89::2" && packet.destinationPort == 80)
        #expect(packet.segment.map(Array.init) == [9])
    }

    @Test func `what a system sends by itself is told from what programs send`() {
        // A router solicitation, a report of groups behind its hop-by-hop header, an echo request.
        #expect(packet(ipv6(next: 58, [133, 0, 0, 0])).isHousekeeping)
        #expect(packet(ipv6(next: 0, [58, 0, 5, 2, 0, 0, 0, 0, 143, 0, 0, 0])).isHousekeeping)
        #expect(!packet(ipv6(next: 58, [128, 0, 0, 0])).isHousekeeping)
        #expect(!packet(ipv4).isHousekeeping)
    }

    @Test func `a packet cut off anywhere is borne`() {
        for whole in [ipv4, ipv6(next: 17, [1, 2, 3, 4]), ipv6(next: 0, [58])] {
            for count in 0...whole.count {
                let packet = packet(Array(whole.prefix(count)))
                _ = (packet.payload, packet.source, packet.destinationPort, packet.datagram, packet.isHousekeeping)
                #expect(packet.bytes.count == count)
            }
        }
        #expect(packet([0x4F] + [UInt8](repeating: 0, count: 30)).source == nil)
    }
}
