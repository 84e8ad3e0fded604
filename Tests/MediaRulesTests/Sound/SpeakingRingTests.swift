import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SpeakingRingTests {
    private func steps(_ levels: [Double]) -> [Int?] {
        var ring = SpeakingRing()
        return levels.map { ring.add(SoundLevel(decibels: $0)) }
    }

    @Test func `silence says nothing, however long it lasts`() {
        #expect(steps(Array(repeating: -70, count: 1_000) + [-.infinity]).allSatisfy { $0 == nil })
    }

    @Test func `it grows at once and is told once`() {
        #expect(steps([-70, -40, -41, -30, -10, -12]) == [nil, 1, nil, 2, 3, nil])
    }

    @Test func `it falls step by step, and not in the gap between two words`() {
        #expect(steps([-10, -70, -70, -70, -10, -70]) == [3, nil, nil, nil, nil, nil])
        #expect(steps([-10] + Array(repeating: -70, count: 14)).compactMap { $0 } == [3, 2, 1, 0])
    }

    @Test func `when nothing comes any more it is gone`() {
        var ring = SpeakingRing()
        #expect(ring.fallSilent() == nil)
        _ = ring.add(SoundLevel(decibels: -5))
        #expect(ring.fallSilent() == 0 && ring.step == 0)
    }
}
