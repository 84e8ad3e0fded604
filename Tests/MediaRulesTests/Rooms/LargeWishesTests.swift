import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct LargeWishesTests {
    private static let start = Instant.now
    private static let size = PictureSize(width: 320, height: 240)

    /// All are shown in a size that is known, and come.
    private static func told(
        _ wishes: inout LargeWishes, _ choice: [UInt8: ForwardedLayer], shown: PictureSize? = size,
        coming: ForwardedLayer? = .low, at milliseconds: Int64
    ) -> [UInt8: Bool]? {
        var feed = LayerChoice.Feed(shown: shown)
        feed.coming = coming
        return wishes.update(choice, of: choice.mapValues { _ in feed }, now: start + .milliseconds(milliseconds))
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
        #expect(Self.told(&wishes, [2: .low], at: 10_199) == nil)
        #expect(Self.told(&wishes, [2: .low], at: 10_200) == [2: false])
    }

    @Test func `what a full way takes for a while is told to nobody`() {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .high], at: 0) == [2: true])
        for round in Int64(0)..<4 {
            #expect(Self.told(&wishes, [2: .low], at: 1_000 + round * 9_000) == nil)
            #expect(Self.told(&wishes, [2: .high], at: 9_000 + round * 9_000) == nil)
        }
    }

    @Test func `of somebody of whom nothing comes for a while nothing else is said`() {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .high, 3: .low], at: 0) == [2: true, 3: false])
        #expect(Self.told(&wishes, [2: .low, 3: .low], at: 1_000) == nil)
        #expect(Self.told(&wishes, [3: .low], at: 12_000) == nil)
        // The while with smaller ones begins anew.
        #expect(Self.told(&wishes, [2: .low, 3: .low], at: 13_000) == nil)
        #expect(Self.told(&wishes, [2: .low, 3: .low], at: 23_000) == [2: false, 3: false])
    }

    @Test func `who is not shown at all is told so before any pictures`() {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .none], coming: nil, at: 0) == [2: false])
    }

    @Test func `of whom no pictures come nothing is said`() {
        var wishes = LargeWishes()
        for layer in [ForwardedLayer.high, .low] {
            #expect(Self.told(&wishes, [2: layer], coming: nil, at: 0) == nil)
            #expect(Self.told(&wishes, [2: layer], coming: nil, at: 60_000) == nil)
        }
        #expect(Self.told(&wishes, [2: .low], at: 60_100) == [2: false])
    }

    @Test func `where it is not known how large pictures are shown, large ones are wanted two seconds after the first`()
    {
        var wishes = LargeWishes()
        #expect(Self.told(&wishes, [2: .high, 3: .high], shown: nil, at: 0) == nil)
        #expect(Self.told(&wishes, [2: .high, 3: .high], shown: nil, at: 1_999) == nil)
        #expect(Self.told(&wishes, [2: .high, 3: .low], shown: nil, at: 2_000) == [2: true, 3: false])
        // It is soon known in a window.
        #expect(Self.told(&wishes, [2: .high, 3: .low, 4: .high], shown: nil, at: 3_000) == nil)
        #expect(Self.told(&wishes, [2: .high, 3: .low, 4: .high], at: 3_500) == [2: true, 3: false, 4: true])
    }
}
