import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct TokenBucketTests {
    @Test func `so much passes at once, and the rest as time goes`() {
        var bucket = TokenBucket(rate: 10, burst: 3)
        let taken = [0, 0, 0, 0, 0, 99, 100, 100].map { bucket.admits(now: at($0)) }
        #expect(taken == [true, true, true, false, false, false, true, false])
    }

    @Test func `a pause fills it to the brim, not more`() {
        var bucket = TokenBucket(rate: 1_000, burst: 2)
        let taken = [
            bucket.admits(2, now: at(0)), bucket.admits(2, now: at(1_000_000)), bucket.admits(now: at(1_000_000)),
        ]
        #expect(taken == [true, true, false])
    }

    @Test func `looking often does not lose what is gained between`() {
        var bucket = TokenBucket(rate: 10, burst: 1)
        _ = bucket.admits(now: at(0))
        let granted = (1...100).filter { bucket.admits(now: at($0)) }
        #expect(granted == [100])
    }

    @Test func `no time and no cost makes it trap`() {
        var bucket = TokenBucket(rate: .max / 100_000, burst: 5)
        for now in [Int.max / 2, 0, -5, Int.max / 2, 7] { _ = bucket.admits(.max, now: at(now)) }
        let isTaken = bucket.admits(-1, now: at(7))
        #expect(!isTaken)
    }
}

@Suite(.timeLimit(.minutes(5))) struct PictureBudgetTests {
    private static func header(_ width: Int, _ height: Int) -> [UInt8] {
        HostilePackets.keyFrame(width: width, height: height, [1, 2, 3])
    }

    @Test func `pictures of usual sizes are taken, thirty a second and more`() {
        for (width, height) in [(640, 480), (1_280, 720), (1_920, 1_080), (3_840, 2_160), (4_096, 2_304)] {
            var budget = PictureBudget()
            let isFirstTaken = budget.admits(header: Self.header(width, height), now: at(0))
            #expect(isFirstTaken)
            let taken = (1..<300).count { budget.admits(header: [0x31, 0, 0], now: at($0 * 33_334 / 1_000)) }
            #expect(taken == 299)
        }
    }

    @Test(arguments: [(16_383, 16_383), (4_097, 16), (4_096, 2_400), (0, 480), (640, 0)])
    func `a size that is none or costs too much is refused`(width: Int, height: Int) {
        var budget = PictureBudget()
        let isTaken = budget.admits(header: Self.header(width, height), now: at(0))
        #expect(!isTaken)
    }

    @Test func `a key frame without its start code is refused`() {
        var budget = PictureBudget()
        for header: [UInt8] in [[0x10, 0, 0, 1, 2, 3, 64, 1, 64, 1], [0x10], []] {
            let isTaken = budget.admits(header: header, now: at(0))
            #expect(!isTaken)
        }
    }

    @Test func `a flood of pictures is cut, whatever their size`() {
        for side in [16, 640, 2_000] {
            var budget = PictureBudget()
            // A hundred thousand within a second.
            let taken = (0..<100_000).count { budget.admits(header: Self.header(side, side), now: at($0 / 100)) }
            #expect(taken <= 1_080 + 540)
        }
    }

    @Test func `scaling bits beside the size do not count`() {
        var header = Self.header(640, 480)
        header[7] |= 0xC0
        #expect(VP8Frame.pictureSize(header: header).map { [$0.width, $0.height] } == [640, 480])
    }
}

@Suite(.timeLimit(.minutes(5))) struct SourceBudgetTests {
    @Test func `known sources pass for ever, new ones up to the limit`() {
        var budget = SourceBudget(limit: 2)
        let taken = [1, 2, 1, 3, 2, 4, 1].map { budget.admits($0) }
        #expect(taken == [true, true, true, false, true, false, true])
    }

    @Test func `a frame without an end is cut once, and the next begins anew`() {
        var budget = AssemblyBudget()
        let parts = AssemblyBudget.frameSize / 1_024
        let taken = (0..<parts + 2).map { _ in budget.admits(size: 1_024, isLast: false) }
        #expect(taken.firstIndex(of: false) == parts && taken.last == true)
    }

    @Test func `frames that end are never cut`() {
        var budget = AssemblyBudget()
        let taken = (0..<100_000).count { budget.admits(size: 1_200, isLast: $0 % 50 == 0) }
        #expect(taken == 100_000)
    }
}

@Suite(.timeLimit(.minutes(5))) struct RTPHeaderTests {
    private func header(_ packet: [UInt8]) -> RTPHeader? { packet.withUnsafeBytes { RTPHeader($0) } }

    @Test func `a packet is read`() {
        let packet = HostilePackets.rtp(
            source: 0xDEAD_BEEF, payloadType: 96, sequence: 7, extensions: [(1, [0x30]), (3, [0, 1])],
            payload: [1, 2, 3])
        let read = header(packet)
        #expect(read?.source == 0xDEAD_BEEF && read?.payloadType == 96 && read?.isLast == true)
        #expect(read.map { packet[$0.payload] } == [1, 2, 3])
    }

    @Test func `padding is no payload, and longer than the packet it is refused`() {
        var packet = HostilePackets.rtp(source: 1, payloadType: 96, sequence: 7, payload: [1, 2, 0, 0, 3])
        packet[0] |= 0x20
        #expect(header(packet)?.payload == 12..<14)
        for padding in [UInt8(0), 6, 255] {
            packet[packet.count - 1] = padding
            #expect(header(packet) == nil)
        }
    }

    @Test func `contributing sources, other versions and short packets are refused`() {
        let good = HostilePackets.rtp(source: 1, payloadType: 96, sequence: 7, payload: [])
        #expect(header(good) != nil)
        #expect(header(Array(good.dropLast())) == nil)
        #expect(header([0x81] + good.dropFirst() + [0, 0, 0, 9]) == nil)
        #expect(header([0x40] + good.dropFirst()) == nil)
        #expect(header([0x90] + good.dropFirst()) == nil)
        #expect(header([0x90] + good.dropFirst() + [0xBE, 0xDE, 0, 1]) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct RTCPCompoundTests {
    @Test func `what a receiver reports and estimates is read, the worst source first`() {
        func reception(_ packet: [UInt8]) -> ReceptionReport? { packet.withUnsafeBytes { RTCPCompound($0)?.reception } }
        func block(_ lost: UInt8) -> [UInt8] { [0, 0, 0, 9, lost, 0, 0, 0] + [UInt8](repeating: 0, count: 16) }
        #expect(reception([0x82, 201, 0, 13, 0, 0, 0, 1] + block(64) + block(128)) == ReceptionReport(loss: 0.5))
        // 2^3 * 125,000 bits a second (draft-alvestrand-rmcat-remb-03 §2.2).
        let estimate: [UInt8] =
            [0x8F, 206, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0] + Array("REMB".utf8) + [1, 3 << 2 | 1, 0xE8, 0x48, 0, 0, 0, 9]
        #expect(reception(estimate) == ReceptionReport(estimate: 1_000_000))
        var huge = estimate
        huge[17] = 0xFF
        #expect((reception(huge)?.estimate ?? 0) > 1 << 40)
    }

    @Test func `a report on nothing and an estimate that is cut off say nothing, and are let pass`() throws {
        for packet: [UInt8] in [[0x80, 201, 0, 1, 0, 0, 0, 1], [0x8F, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0]] {
            let compound = try #require(packet.withUnsafeBytes { RTCPCompound($0) })
            #expect(compound.reception == nil)
        }
    }

    private typealias Packets = HostilePackets

    private func sources(_ packet: [UInt8]) -> [UInt32]? { packet.withUnsafeBytes { RTCPCompound($0)?.sources } }

    @Test func `all who report or describe themselves are found`() {
        let report = Packets.rtcp(type: 200, count: 0, body: [0, 0, 0, 1] + [UInt8](repeating: 0, count: 20))
        let description = Packets.rtcp(type: 202, count: 1, body: [0, 0, 0, 2, 1, 3] + Array("abc".utf8) + [0])
        let loss = Packets.rtcp(type: 206, count: 1, body: [0, 0, 0, 3, 0, 0, 0, 4])
        #expect(sources(report + description + loss) == [1, 2, 3])
    }

    @Test func `an unknown packet is passed over`() {
        #expect(sources(Packets.rtcp(type: 210, count: 31, body: [1, 2, 3, 4])) == [])
    }

    @Test func `whose packets and key frames are wanted is read`() {
        func wanted(_ packet: [UInt8]) -> [UInt32]? { packet.withUnsafeBytes { RTCPCompound($0)?.wanted } }
        let lost: [UInt8] = [0x81, 205, 0, 3, 0, 0, 0, 1, 0, 0, 0, 7, 0, 1, 0, 0]
        let picture: [UInt8] = [0x81, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 9]
        let full: [UInt8] = [0x84, 206, 0, 6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0]
        #expect(wanted(lost + picture + full) == [7, 9, 4, 5])
        #expect((lost + picture + full).withUnsafeBytes { RTCPCompound($0)?.keyFrames } == [9, 4, 5])
        // The bandwidth that the peer estimates, and a report, want nothing of a source.
        #expect(wanted([0x8F, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 9]) == [])
        #expect(wanted([0x80, 201, 0, 1, 0, 0, 0, 1]) == [])
        #expect(wanted([0x81, 205, 0, 1, 0, 0, 0, 1]) == nil)
        #expect(wanted([0x84, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0]) == [])
    }

    @Test func `reports, lists and chunks that are longer than their packet are refused`() {
        for (type, count) in [(200, 1), (201, 1), (202, 1), (203, 2), (204, 0), (205, 1), (206, 1)] {
            #expect(sources(Packets.rtcp(type: UInt8(type), count: UInt8(count), body: [0, 0, 0, 1])) == nil)
        }
        #expect(sources(Packets.rtcp(type: 202, count: 1, body: [0, 0, 0, 1, 1, 200, 65, 0])) == nil)
        var long = Packets.rtcp(type: 201, count: 0, body: [0, 0, 0, 1])
        long[3] = 9
        #expect(sources(long) == nil)
        #expect(sources([]) == nil && sources([0x80]) == nil)
    }

    private func feedback(count: UInt32, _ chunks: [UInt8], padded: Bool = false) -> [UInt8] {
        var packet = Packets.rtcp(
            type: 205, count: 15,
            body: [0, 0, 0, 1, 0, 0, 0, 2, 0, 5] + Packets.bytes(count, 2) + [0, 0, 0, 0] + chunks)
        if padded { packet[0] |= 0x20 }
        return packet
    }

    @Test func `feedback whose times are all there is taken`() {
        // A run of seven small times; then a vector of one-bit symbols, of two-bit symbols.
        #expect(sources(feedback(count: 7, [0x20, 7] + [1, 2, 3, 4, 5, 6, 7])) == [1])
        #expect(sources(feedback(count: 3, [0xB0, 0, 9, 9])) == [1])
        #expect(sources(feedback(count: 2, [0xE4, 0, 9, 9, 9, 0])) == [1])
        // Nothing received.
        #expect(sources(feedback(count: 100, [0, 100])) == [1])
    }

    @Test func `feedback that lacks times or chunks, or is about too many packets, is refused`() {
        #expect(sources(feedback(count: 7, [0x20, 7])) == nil)
        #expect(sources(feedback(count: 20, [0xBF, 0xFF])) == nil)
        #expect(sources(feedback(count: 5, [0x20, 0, 1, 1])) == nil)
        #expect(sources(feedback(count: 65_535, [0x1F, 0xFF])) == nil)
        #expect(sources(feedback(count: 5_000, [0x1F, 0xFF])) == nil)
    }

    @Test func `random packets never trap`() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<20_000 {
            var packet = Packets.rtcp(
                type: UInt8.random(in: 199...208, using: &random), count: UInt8.random(in: 0...31, using: &random),
                body: random.bytes(Int.random(in: 0...64, using: &random)))
            if Bool.random(using: &random) { packet[3] = UInt8.random(in: 0...20, using: &random) }
            if Bool.random(using: &random) { packet[0] |= 0x20 }
            _ = sources(packet)
            _ = random.bytes(Int.random(in: 0...40, using: &random)).withUnsafeBytes { RTPHeader($0) }
        }
    }
}
