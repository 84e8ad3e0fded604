import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct LargeDemandTests {
    private static let start = Instant.now

    private static func isWanted(
        _ demand: inout LargeDemand, by present: Set<UInt8>, _ wishes: [UInt8: Bool], at milliseconds: Int64
    ) -> Bool {
        demand.update(present, wishes: wishes, now: start + .milliseconds(milliseconds))
    }

    @Test func `large pictures are wanted as soon as one says so, and as long`() {
        var demand = LargeDemand()
        #expect(Self.isWanted(&demand, by: [2, 3], [2: false, 3: true], at: 0))
        #expect(!Self.isWanted(&demand, by: [2, 3], [2: false, 3: false], at: 100))
        #expect(!Self.isWanted(&demand, by: [2, 3], [2: false, 3: false], at: 9_000))
        #expect(Self.isWanted(&demand, by: [2, 3], [2: true, 3: false], at: 9_100))
    }

    @Test func `who says nothing wants them, three seconds after it came`() {
        var demand = LargeDemand()
        #expect(!Self.isWanted(&demand, by: [2, 3], [2: false], at: 0))
        #expect(!Self.isWanted(&demand, by: [2, 3], [2: false], at: 2_999))
        #expect(Self.isWanted(&demand, by: [2, 3], [2: false], at: 3_000))
        #expect(!Self.isWanted(&demand, by: [2, 4], [2: false], at: 13_000))
        #expect(Self.isWanted(&demand, by: [2, 4], [2: false], at: 16_000))
    }

    @Test func `who wants them and is made a new connection to the room wants them for ten seconds more`() {
        var demand = LargeDemand()
        #expect(Self.isWanted(&demand, by: [2], [2: true], at: 0))
        #expect(Self.isWanted(&demand, by: [], [2: true], at: 9_999))
        #expect(!Self.isWanted(&demand, by: [], [2: true], at: 10_000))
        #expect(Self.isWanted(&demand, by: [2], [2: true], at: 10_100))
        #expect(!Self.isWanted(&demand, by: [], [2: false], at: 10_200))
    }

    @Test func `what somebody said counts until its pictures have gone, also when the call has forgotten it`() {
        var demand = LargeDemand()
        #expect(!Self.isWanted(&demand, by: [2], [2: false], at: 0))
        #expect(!Self.isWanted(&demand, by: [2], [:], at: 5_000))
        #expect(!Self.isWanted(&demand, by: [], [:], at: 5_100))
        #expect(Self.isWanted(&demand, by: [2], [2: true], at: 6_000))
        #expect(Self.isWanted(&demand, by: [2], [:], at: 6_100))
        // It has left the call, and so is not made a new connection.
        #expect(!Self.isWanted(&demand, by: [], [:], at: 6_200))
    }

    @Test func `who is not in the room has no say`() {
        var demand = LargeDemand()
        #expect(!Self.isWanted(&demand, by: [2], [2: false, 3: true], at: 0))
        #expect(!Self.isWanted(&demand, by: [], [3: true], at: 9_000))
    }
}
