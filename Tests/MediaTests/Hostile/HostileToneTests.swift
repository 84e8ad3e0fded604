import BaseKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// A peer that takes tones, and sends packets of them as it likes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileToneTests {
    private typealias Packets = HostilePackets

    /// One kind of packets; each case has a source of its own in the peer's name.
    private struct Attack: Sendable {
        var name: String
        var count = 1_000
        /// The tones that may be told of it.
        var tones: ClosedRange<Int>
        /// How much of it is counted as refused or rejected.
        var counted = Counted.most
        /// Time stamp, payload type and payload of a packet.
        var packet: @Sendable (Int, HostileWire, inout SeededGenerator) throws -> (UInt32, UInt8, [UInt8])
    }

    private enum Counted: Sendable {
        /// All but the first packets of a source, which the RTP session may keep back.
        case most
        /// What is beyond the packets that are looked at in a second.
        case some
        /// Only where the call is sealed: in clear any bytes are a voice.
        case someSealed
    }

    private static func event(_ event: UInt8, isEnd: Bool = false, duration: UInt16 = 960) -> ToneEvent {
        ToneEvent(event: event, isEnd: isEnd, duration: duration)
    }

    private static func payload(_ event: ToneEvent, _ time: UInt32, _ wire: HostileWire) throws -> [UInt8] {
        try TonePacket.payload(event, timestamp: time, key: wire.key)
    }

    private static func tone(_ wire: HostileWire) throws -> UInt8 { try #require(wire.toneType) }

    private static let attacks: [Attack] = [
        Attack(name: "payloads of any length and content", tones: 0...0) { number, wire, random in
            let length = Int.random(in: 0...300, using: &random)
            // In clear four bytes are a tone.
            return (UInt32(number) * 960, try tone(wire), random.bytes(length == 4 ? 5 : length))
        },
        Attack(name: "events that are no keys", tones: 0...0) { number, wire, _ in
            let time = UInt32(number) * 9_600
            return (time, try tone(wire), try payload(event(UInt8(16 + number % 240)), time, wire))
        },
        Attack(name: "a tone without an end", tones: 1...1, counted: .some) { number, wire, _ in
            (77, try tone(wire), try payload(event(1, duration: .max), 77, wire))
        },
        Attack(name: "ends again and again", tones: 1...1, counted: .some) { number, wire, _ in
            let length = UInt16(truncatingIfNeeded: number &* 7_919)
            return (78, try tone(wire), try payload(event(2, isEnd: true, duration: length), 78, wire))
        },
        Attack(name: "tones as voice", count: 200, tones: 0...0, counted: .someSealed) { number, wire, _ in
            let time = UInt32(number) * 9_600
            return (time, 111, try payload(event(3), time, wire))
        },
        Attack(name: "a payload type that nobody has agreed on", tones: 0...0) { number, wire, _ in
            let time = UInt32(number) * 9_600
            return (time, 99, try payload(event(4), time, wire))
        },
        Attack(name: "ten thousand tones", count: 10_000, tones: 1...200) { number, wire, _ in
            let time = 1_000_000 + UInt32(number) * 9_600
            return (time, try tone(wire), try payload(event(UInt8(number % 16)), time, wire))
        },
    ]

    @Test(arguments: [true, false])
    func `whatever comes as tones, the call goes on and it is counted`(isSealed: Bool) async throws {
        let complaints = LibraryComplaints.counted
        let wire = try await HostileWire(isSealed: isSealed, hasTones: true)
        let before = ProcessFootprint.now
        for (number, attack) in Self.attacks.enumerated() {
            try await Self.run(attack, number, on: wire)
        }
        let after = ProcessFootprint.now
        #expect(after.threads < before.threads + 32, "before: \(before), after: \(after)")
        #expect(after.allocated < before.allocated + 64 << 20, "before: \(before), after: \(after)")
        #expect(LibraryComplaints.counted == complaints)
        await wire.call.close()
    }

    private static func run(_ attack: Attack, _ number: Int, on wire: HostileWire) async throws {
        var random = SeededGenerator(seed: UInt64(number))
        // The bounds of the attack before are over: tones and packets are admitted again.
        try await Task.sleep(for: .milliseconds(1_100))
        let before = await wire.victim.statistics()
        let (shown, start) = (await wire.call.offerer.statistics().received, Instant.now)
        for sequence in 0..<attack.count {
            let (time, type, payload) = try attack.packet(sequence, wire, &random)
            wire.send(
                rtp: Packets.rtp(
                    source: 0xBAD1_0000 + UInt32(number), payloadType: type,
                    sequence: UInt16(truncatingIfNeeded: sequence), time: time, extensions: [(1, Array("0".utf8))],
                    payload: payload))
        }
        let elapsed = Instant.now - start
        try await waitUntil("\(attack.name): the call goes on", within: .seconds(30)) {
            let (now, there) = (await wire.victim.statistics(), await wire.call.offerer.statistics().received)
            return now.received.audioFrames > before.received.audioFrames + 20
                && there.audioFrames > shown.audioFrames + 20 && there.videoFrames > shown.videoFrames + 2
        }
        let after = await wire.victim.statistics()
        let tones = after.received.tones - before.received.tones
        #expect(attack.tones.contains(tones), "\(attack.name): \(tones)")
        // So many a second, and at once.
        #expect(tones <= ToneReceiver.rate * (2 + Int(elapsed / .seconds(1))), "\(attack.name): \(tones)")
        let counted =
            after.packetsRefused - before.packetsRefused + after.received.framesRejected
            - before.received.framesRejected
        let least =
            switch attack.counted {
            case .most: attack.count * 9 / 10 - tones
            case .some: 1
            case .someSealed: wire.key == nil ? 0 : 1
            }
        #expect(counted >= least, "\(attack.name): \(counted)")
        let failures = wire.call.answererLog.events.filter { if case .failed = $0 { true } else { false } }
        #expect(failures.isEmpty, "\(attack.name): \(failures)")
    }
}
