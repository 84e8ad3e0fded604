import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct LargePictureWishTests {
    private static let start = Instant.now

    private static func due(_ wish: inout LargePictureWish, _ shown: GroupStream? = .low, at second: Int) -> Bool {
        wish.isDue(isGranted: true, shown: shown, now: start + .seconds(second))
    }

    @Test func `large pictures that don’t come are asked for again, ever less often`() {
        var wish = LargePictureWish()
        let times = (0..<300).filter { Self.due(&wish, at: $0) }
        #expect(times == [3, 9, 21, 45, 93, 153, 213, 273])
    }

    @Test func `nothing is asked for while large ones are shown, and none at all`() {
        var wish = LargePictureWish()
        #expect((0..<60).allSatisfy { !Self.due(&wish, .high, at: $0) && !Self.due(&wish, nil, at: $0) })
    }

    @Test func `once they have come, or small ones are wanted, it begins anew`() {
        var wish = LargePictureWish()
        let first = (0..<10).filter { Self.due(&wish, at: $0) }
        #expect(first == [3, 9])
        _ = Self.due(&wish, .high, at: 10)
        #expect((11..<18).filter { Self.due(&wish, at: $0) } == [14])
        _ = wish.isDue(isGranted: false, shown: .low, now: Self.start + .seconds(18))
        #expect((19..<24).filter { Self.due(&wish, at: $0) } == [22])
    }
}
