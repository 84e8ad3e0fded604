import TestSupport

@testable import Media

/// One thing that a peer with a valid channel may do to us.
struct HostileCase: Sendable {
    let name: String
    /// Whether some of it has to be refused before anything is made of it.
    var isRefused = false
    let attack: @Sendable (HostileWire, inout SeededGenerator) throws -> Void
}

extension HostileCase {
    private typealias Packets = HostilePackets

    /// A source that the call does not know; few enough to leave room for the peer's own.
    private static func stranger(_ number: UInt32) -> UInt32 { 0xBAD0_0000 + number }

    static let all: [HostileCase] = headers + frames + feedback + strangers

    private static let headers: [HostileCase] = [
        HostileCase(name: "random RTP", isRefused: true) { wire, random in
            for _ in 0..<2_000 { wire.send(rtp: [0x80] + random.bytes(Int.random(in: 0...300, using: &random))) }
        },
        HostileCase(name: "lengths that lie", isRefused: true) { wire, random in
            for sequence in UInt16(0)..<500 {
                let body = random.bytes(Int.random(in: 1...60, using: &random))
                var packet = Packets.rtp(
                    source: wire.sources[1], payloadType: 96, sequence: sequence,
                    extensions: [(1, random.bytes(16))], payload: body)
                switch sequence % 4 {
                case 0: (packet[14], packet[15]) = (0xFF, 0xFF)  // an extension longer than the packet
                case 1:
                    packet[0] |= 0x20  // padding longer than the packet
                    packet[packet.count - 1] = 255
                case 2: packet[0] |= 0x0F  // fifteen contributing sources
                default: packet = Array(packet.prefix(Int(sequence) % 16))
                }
                wire.send(rtp: packet)
            }
        },
        HostileCase(name: "payload types that were not agreed", isRefused: true) { wire, random in
            for type in UInt8(0)..<128 where type != 96 && type != 111 {
                wire.send(
                    rtp: Packets.rtp(
                        source: wire.sources[1], payloadType: type, sequence: UInt16(type), payload: random.bytes(80)))
            }
        },
        HostileCase(name: "names of m-lines that do not exist") { wire, random in
            for number in UInt32(0)..<6 {
                for sequence in UInt16(0)..<20 {
                    let mid = number == 0 ? [] : random.bytes(Int.random(in: 1...16, using: &random))
                    wire.send(
                        rtp: Packets.rtp(
                            source: stranger(number), payloadType: number % 2 == 0 ? 96 : 111, sequence: sequence,
                            extensions: [(1, mid), (3, random.bytes(2))], payload: random.bytes(40)))
                }
            }
        },
    ]

    private static let frames: [HostileCase] = [
        HostileCase(name: "random payload descriptors") { wire, random in
            for sequence in UInt16(0)..<2_000 {
                wire.send(
                    rtp: Packets.rtp(
                        source: wire.sources[1], payloadType: 96, sequence: sequence, time: UInt32(sequence) * 300,
                        isLast: Bool.random(using: &random),
                        payload: random.bytes(Int.random(in: 0...80, using: &random))))
            }
        },
        HostileCase(name: "a frame without an end", isRefused: true) { wire, random in
            let part = random.bytes(1_200)
            for number in 0..<10_000 {
                wire.send(
                    rtp: Packets.rtp(
                        source: wire.sources[1], payloadType: 96, sequence: UInt16(truncatingIfNeeded: number), time: 9,
                        isLast: false, payload: (number == 0 ? [0x10] : [0x00]) + part))
            }
        },
        HostileCase(name: "garbage under the right key") { wire, random in
            for sequence in UInt16(0)..<600 {
                let rest = random.bytes(Int.random(in: 0...900, using: &random))
                let isKey = sequence % 3 == 0
                let frame = isKey ? Packets.keyFrame(width: 640, height: 480, rest) : [0x31] + rest
                let sealed = Packets.sealed(frame, .video, by: wire.cipher, at: UInt64(sequence))
                wire.send(
                    rtp: Packets.rtp(
                        source: wire.sources[1], payloadType: 96, sequence: sequence, time: UInt32(sequence) * 3_000,
                        payload: Packets.vp8(sealed)))
            }
        },
        HostileCase(name: "pictures of any size under the right key") { wire, random in
            for sequence in UInt16(0)..<400 {
                let isHuge = sequence % 2 == 0
                let side = isHuge ? 8_192...16_383 : 1...400
                let frame = Packets.keyFrame(
                    width: Int.random(in: side, using: &random), height: Int.random(in: side, using: &random),
                    random.bytes(200))
                let sealed = Packets.sealed(frame, .video, by: wire.cipher, at: UInt64(sequence))
                wire.send(
                    rtp: Packets.rtp(
                        source: wire.sources[1], payloadType: 96, sequence: sequence, time: UInt32(sequence) * 3_000,
                        payload: Packets.vp8(sealed)))
            }
        },
        HostileCase(name: "sound that is none under the right key") { wire, random in
            for sequence in UInt16(0)..<1_000 {
                let frame = random.bytes(Int.random(in: 1...400, using: &random))
                let sealed = Packets.sealed(frame, .audio, by: wire.cipher, at: UInt64(sequence))
                wire.send(
                    rtp: Packets.rtp(
                        source: stranger(10), payloadType: 111, sequence: sequence, time: UInt32(sequence) * 960,
                        extensions: [(1, Array("0".utf8))], payload: sealed))
            }
        },
    ]

    private static let feedback: [HostileCase] = [
        HostileCase(name: "random RTCP", isRefused: true) { wire, random in
            for _ in 0..<2_000 {
                let type = UInt8.random(in: 192...223, using: &random)
                var packet = Packets.rtcp(
                    type: type, count: UInt8.random(in: 0...31, using: &random),
                    body: random.bytes(Int.random(in: 0...60, using: &random)))
                if Bool.random(using: &random) { packet[3] = UInt8.random(in: 0...255, using: &random) }
                wire.send(rtcp: packet)
            }
        },
        HostileCase(name: "long lists of sources that leave") { wire, random in
            for _ in 0..<300 {
                wire.send(rtcp: Packets.rtcp(type: 203, count: 31, body: random.bytes(124)))
            }
        },
        HostileCase(name: "requests for key frames without end", isRefused: true) { wire, random in
            for number in UInt8(0)..<250 {
                for _ in 0..<10 {
                    let parties = Packets.bytes(wire.sources[1], 4) + Packets.bytes(wire.victimSources[1], 4)
                    wire.send(rtcp: Packets.rtcp(type: 206, count: 1, body: parties))
                    let entry = Packets.bytes(wire.victimSources[1], 4) + [number, 0, 0, 0]
                    wire.send(
                        rtcp: Packets.rtcp(
                            type: 206, count: 4, body: Packets.bytes(wire.sources[1], 4) + [0, 0, 0, 0] + entry))
                }
            }
        },
        HostileCase(name: "requests for every packet again and again", isRefused: true) { wire, random in
            for _ in 0..<300 {
                var entries: [UInt8] = []
                for _ in 0..<60 { entries += random.bytes(2) + [0xFF, 0xFF] }
                let parties = Packets.bytes(wire.sources[1], 4) + Packets.bytes(wire.victimSources[1], 4)
                wire.send(rtcp: Packets.rtcp(type: 205, count: 1, body: parties + entries))
            }
        },
        HostileCase(name: "feedback about packets that never were", isRefused: true) { wire, random in
            for _ in 0..<600 {
                let parties = Packets.bytes(wire.sources[1], 4) + Packets.bytes(wire.victimSources[1], 4)
                let count = Packets.bytes(UInt32.random(in: 0...65_535, using: &random), 2)
                let body = parties + random.bytes(2) + count + random.bytes(4)
                wire.send(
                    rtcp: Packets.rtcp(
                        type: 205, count: 15, body: body + random.bytes(Int.random(in: 0...300, using: &random))))
            }
        },
        HostileCase(name: "bit rates that make no sense") { wire, random in
            for _ in 0..<200 {
                let parties: [UInt8] = Packets.bytes(wire.sources[1], 4) + [0, 0, 0, 0]
                let rates: [UInt8] = [UInt8]("REMB".utf8) + random.bytes(8)
                wire.send(rtcp: Packets.rtcp(type: 206, count: 15, body: parties + rates))
            }
        },
    ]

    private static let strangers: [HostileCase] = [
        HostileCase(name: "reports of thousands of sources", isRefused: true) { wire, random in
            for _ in 0..<300 {
                var compound: [UInt8] = []
                for _ in 0..<40 {
                    compound += Packets.rtcp(type: 200, count: 0, body: random.bytes(24))
                }
                wire.send(rtcp: compound)
            }
        },
        HostileCase(name: "thousands of sources", isRefused: true) { wire, random in
            for number in UInt32(0)..<5_000 {
                wire.send(
                    rtp: Packets.rtp(
                        source: stranger(1_000 + number), payloadType: number % 2 == 0 ? 96 : 111, sequence: 1,
                        payload: random.bytes(30)))
            }
        },
        HostileCase(name: "datagrams of anybody to the open ports") { wire, random in
            let datagrams = (0..<1_500).map { number -> [UInt8] in
                let rest = random.bytes(Int.random(in: 0...400, using: &random))
                return switch number % 5 {
                case 0: rest
                // A binding request with its cookie (RFC 8489 §5), and attributes of any kind.
                case 1:
                    [0, 1] + Packets.bytes(UInt32(rest.count / 4 * 4), 2) + [0x21, 0x12, 0xA4, 0x42] + random.bytes(12)
                        + rest
                case 2: [1, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + rest
                case 3: [22, 0xFE, 0xFD] + rest
                default: [0x80, 96] + rest
                }
            }
            try wire.send(datagrams: datagrams)
        },
    ]
}
