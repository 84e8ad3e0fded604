import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct FeedbackSplitterTests {
    private static let us: UInt32 = 7

    private func words(_ words: [UInt32]) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private func packet(_ type: UInt8, _ count: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0x80 | count, type, 0, UInt8(body.count / 4)] + body
    }

    private func block(_ source: UInt32, lost: UInt8 = 3) -> [UInt8] {
        words([source]) + [lost] + [UInt8](repeating: 5, count: 19)
    }

    private func report(_ blocks: [[UInt8]]) -> [UInt8] {
        packet(201, UInt8(blocks.count), words([Self.us]) + blocks.flatMap { $0 })
    }

    private func pictureLoss(_ source: UInt32) -> [UInt8] { packet(206, 1, words([Self.us, source])) }
    private func missing(_ source: UInt32) -> [UInt8] { packet(205, 1, words([Self.us, source, 0x0010_0001])) }
    private let name = [UInt8]([0x81, 202, 0, 2, 0, 0, 0, 7, 1, 1, 65, 0])

    private func split(_ compound: [UInt8], by splitter: inout FeedbackSplitter) -> [[UInt8]]? {
        compound.withUnsafeBytes { splitter.split($0) }
    }

    @Test func `each wish leaves behind the one report about its source`() {
        var splitter = FeedbackSplitter()
        let reports = report([block(1), block(2)])
        let packets = split(reports + name + pictureLoss(2) + missing(1), by: &splitter)
        #expect(packets == [reports + name, report([block(2)]) + pictureLoss(2), report([block(1)]) + missing(1)])
    }

    @Test func `a FIR becomes a picture loss indication for each of its entries`() {
        var splitter = FeedbackSplitter()
        let reports = report([block(1), block(2)])
        let fir = packet(206, 4, words([Self.us, 0, 2, 0x0100_0000, 1, 0x0200_0000]))
        #expect(
            split(reports + fir, by: &splitter)
                == [reports, report([block(2)]) + pictureLoss(2), report([block(1)]) + pictureLoss(1)])
    }

    @Test func `a compound without reports has the last that was said of the source, or an empty one`() {
        var splitter = FeedbackSplitter()
        _ = split(report([block(1, lost: 9)]), by: &splitter)
        #expect(split(pictureLoss(1), by: &splitter) == [report([block(1, lost: 9)]) + pictureLoss(1)])
        let empty = words([3]) + [UInt8](repeating: 0, count: 20)
        #expect(split(pictureLoss(3), by: &splitter) == [report([empty]) + pictureLoss(3)])
    }

    @Test func `what holds no wish stays as it is`() {
        var splitter = FeedbackSplitter()
        let each = packet(205, 15, words([Self.us, 1, 0x0001_0001, 0, 0x2001_0000]))
        let estimate = packet(206, 15, words([Self.us, 0]) + Array("REMB".utf8) + words([0x0100_0000, 1]))
        for compound in [report([]), report([block(1)]) + name, report([block(1)]) + each + estimate, name] {
            #expect(split(compound, by: &splitter) == nil)
        }
    }

    @Test func `what was split is not split again, and loses nothing`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let sources = (0..<Int.random(in: 0...4, using: &random)).map { UInt32($0 + 1) }
            let wishes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let source = UInt32.random(in: 1...5, using: &random)
                return Bool.random(using: &random) ? pictureLoss(source) : missing(source)
            }
            let rest = sources.isEmpty && Bool.random(using: &random) ? [] : report(sources.map { block($0) })
            let middle = Bool.random(using: &random) ? name : []
            var splitter = FeedbackSplitter()
            guard let packets = split(rest + middle + wishes.flatMap { $0 }, by: &splitter) else { continue }
            let pieces = packets.suffix(wishes.count)
            #expect(packets.count - pieces.count == (rest + middle == [] ? 0 : 1))
            #expect(zip(pieces, wishes).allSatisfy { Array($0.dropFirst(32)) == $1 })
            for packet in packets {
                #expect(split(packet, by: &splitter) == nil)
                #expect(packet.withUnsafeBytes { RTCPCompound($0) } != nil)
            }
        }
    }

    @Test func `nothing that comes makes it trap, and what is malformed or too much stays as it is`() {
        var random = SeededGenerator(seed: 12)
        var splitter = FeedbackSplitter()
        for _ in 0..<20_000 {
            var bytes = random.bytes(Int.random(in: 0...90, using: &random))
            if bytes.count > 3 {
                (bytes[0], bytes[1]) = (0x80 | bytes[0] & 0x1F, 200 + bytes[1] % 8)
                (bytes[2], bytes[3]) = (0, bytes[3] % 20)
            }
            if let packets = split(bytes, by: &splitter) { #expect(packets.count <= FeedbackSplitter.mostWishes + 1) }
        }
        #expect(split(Array(pictureLoss(1).dropLast()), by: &splitter) == nil)
        let many = (0...UInt32(FeedbackSplitter.mostWishes)).flatMap { pictureLoss($0 + 1) }
        #expect(split(many, by: &splitter) == nil)
    }
}
