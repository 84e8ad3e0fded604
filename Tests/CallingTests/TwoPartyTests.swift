import Testing

@testable import Calling

@Suite("Two parties over an unreliable way", .timeLimit(.minutes(5)))
struct TwoPartyTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var dropsPercent: Int
        var duplicatesPercent: Int
        var isOrdered: Bool
    }

    static let ways = [
        Way(testDescription: "reliable", dropsPercent: 0, duplicatesPercent: 0, isOrdered: true),
        Way(testDescription: "duplicating", dropsPercent: 0, duplicatesPercent: 40, isOrdered: true),
        Way(testDescription: "losing", dropsPercent: 25, duplicatesPercent: 10, isOrdered: true),
        Way(testDescription: "reordering", dropsPercent: 10, duplicatesPercent: 20, isOrdered: false),
    ]

    func world(_ seed: UInt64, _ way: Way) -> TwoPartyWorld {
        var world = TwoPartyWorld(
            seed: seed, dropsPercent: way.dropsPercent, duplicatesPercent: way.duplicatesPercent,
            isOrdered: way.isOrdered)
        world.run()
        return world
    }

    @Test(arguments: ways)
    func `500 seeds each: both come to rest in the same call with the same key, or in none`(way: Way) {
        var connected = 0
        for seed in 0..<500 as Range<UInt64> {
            let world = world(seed, way)
            #expect(world.discord == [], "seed \(seed)")
            connected += world.connections
        }
        #expect(connected > 100)
    }

    @Test func `over a reliable way, nobody's message is ever out of turn`() {
        for seed in 1_000..<1_200 as Range<UInt64> {
            let world = world(seed, Self.ways[0])
            for party in world.parties {
                for kind in [MessageRejection.wrongRole, .duplicate, .wrongContact, .tooMany, .tooOften] {
                    #expect(party.board.rejections[kind] == 0, "\(kind) with seed \(seed)")
                }
            }
        }
    }

    @Test func `where both call at once over a reliable way, they meet in one call without anybody accepting`() {
        var meetings = 0
        for seed in 2_000..<2_300 as Range<UInt64> {
            let world = world(seed, Self.ways[0])
            guard world.parties.contains(where: { $0.board.rejections[.glare] > 0 }) else { continue }
            if world.connections > 0 { meetings += 1 }
        }
        #expect(meetings > 20)
    }

    @Test func `over a reliable way, media that fails at one end never reads as a decline or a hang-up at the other`() {
        var told = 0
        for seed in 3_000..<3_400 as Range<UInt64> {
            let ends = world(seed, Self.ways[0]).parties.map(\.ends)
            for (own, others) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                for (id, reason) in own where reason == .mediaFailed {
                    #expect(others[id] != .declinedByPeer && others[id] != .peerHungUp, "seed \(seed)")
                    if others[id] == .peerMediaFailed { told += 1 }
                }
            }
        }
        #expect(told > 5)
    }
}
