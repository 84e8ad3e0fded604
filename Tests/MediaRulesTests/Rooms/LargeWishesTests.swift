import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct LargeWishesTests {
    private static let start = Instant.now

    private static func told(
        _ wishes: inout LargeWishes, _ choice: [UInt8: ForwardedLayer], at milliseconds: Int64
    ) -> [UInt8: Bool]? {
        wishes.update(choice, now: start + .milliseconds(milliseconds))
    }

    @Test func `what is asked for of somebody first is told at once, and not again`() {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .high, 3: .low, 4: .none], at: 0) == [2: true, 3: false, 4: false])
        #expect(Self.told(&wishes, [2: .high, 3: .lowest, 4: .low], at: 100) == nil)
        #expect(Self.told(&wishes, [2: .high, 3: .low, 4: .low, 5: .low], at: 200)?[5] == false)
    }

    @Test func `that large ones are wanted after all is told at once, that they are not any more after a while`() {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .low], at: 0) == [2: false])
        #expect(Self.told(&wishes, [2: .high], at: 100) == [2: true])
        #expect(Self.told(&wishes, [2: .low], at: 200) == nil)
        #expect(Self.told(&wishes, [2: .low], at: 3_199) == nil)
        #expect(Self.told(&wishes, [2: .low], at: 3_200) == [2: false])
    }

    @Test func `a short while with smaller ones is told to nobody`() {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .high], at: 0) == [2: true])
        for round in Int64(0)..<4 {
            #expect(Self.told(&wishes, [2: .low], at: 1_000 + round * 3_000) == nil)
            #expect(Self.told(&wishes, [2: .high], at: 3_900 + round * 3_000) == nil)
        }
    }

    @Test func `of somebody of whom nothing comes for a while nothing else is said`() {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .high, 3: .low], at: 0) == [2: true, 3: false])
        #expect(Self.told(&wishes, [2: .low, 3: .low], at: 1_000) == nil)
        #expect(Self.told(&wishes, [3: .low], at: 5_000) == nil)
        // The while with smaller ones begins anew.
        #expect(Self.told(&wishes, [2: .low, 3: .low], at: 6_000) == nil)
        #expect(Self.told(&wishes, [2: .low, 3: .low], at: 9_000) == [2: false, 3: false])
    }
}
