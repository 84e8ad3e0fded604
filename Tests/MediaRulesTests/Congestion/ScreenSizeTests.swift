import BaseKit
import TestSupport
import Testing

@testable import MediaRules

/// How large a shared screen is sent to who shows it small.
@Suite(.timeLimit(.minutes(5))) struct ScreenSizeTests {
    private static let full = PictureSize(width: 1_920, height: 1_080)

    /// The pixels that are sent of a full screen, at these seconds, where the peer shows it in these sizes.
    private func sent(_ looks: [(second: Int, view: PictureSize?)]) -> [Int] {
        var screen = ScreenSize()
        return looks.map { look in
            screen.show(look.view)
            return screen.size(of: Self.full, now: at(1_000 * look.second)).pixels
        }
    }

    private static let tile = PictureSize(width: 320, height: 180)

    @Test func `without a word of the peer a screen is sent as it is`() {
        #expect(sent([(0, nil), (60, nil)]) == [Self.full.pixels, Self.full.pixels])
    }

    @Test(arguments: [
        (PictureSize(width: 320, height: 180), 640 * 400), (PictureSize(width: 640, height: 360), 640 * 400),
        (PictureSize(width: 960, height: 540), 1_280 * 800), (PictureSize(width: 1_280, height: 720), 1_280 * 800),
        (PictureSize(width: 1_600, height: 900), 1_920 * 1_080),
        (PictureSize(width: 8_000, height: 4_500), 1_920 * 1_080),
    ])
    func `it is never sent smaller than it is shown`(view: PictureSize, most: Int) {
        let pixels = sent([(0, view), (3, view)])[1]
        #expect(pixels >= view.pixels || pixels == Self.full.pixels)
        #expect(pixels == Self.full.reduced(to: most).pixels)
    }

    @Test func `it becomes smaller when it has been shown so for a while, and larger at once`() {
        let small = Self.full.reduced(to: 640 * 400).pixels
        #expect(
            sent([(0, Self.tile), (2, Self.tile), (3, Self.tile), (4, Self.full), (5, Self.tile), (6, Self.tile)])
                == [Self.full.pixels, Self.full.pixels, small, Self.full.pixels, Self.full.pixels, Self.full.pixels])
    }

    @Test func `a window that is made small and large again in between begins anew`() {
        let looks: [(Int, PictureSize?)] = [
            (0, Self.tile), (2, Self.full), (3, Self.tile), (5, Self.tile), (6, Self.tile),
        ]
        #expect(sent(looks).map { $0 == Self.full.pixels } == [true, true, true, true, false])
    }

    @Test func `the next one that is shared begins in full`() {
        var screen = ScreenSize()
        screen.show(Self.tile)
        _ = screen.size(of: Self.full, now: at(0))
        #expect(screen.size(of: Self.full, now: at(5_000)) != Self.full)
        screen.end()
        #expect(screen.size(of: Self.full, now: at(6_000)) == Self.full)
        #expect(screen.size(of: Self.full, now: at(12_000)) == Self.full)
    }

    @Test func `one that is small already stays as it is`() {
        var screen = ScreenSize()
        screen.show(Self.tile)
        let window = PictureSize(width: 400, height: 300)
        _ = screen.size(of: window, now: at(0))
        #expect(screen.size(of: window, now: at(5_000)) == window)
    }
}
