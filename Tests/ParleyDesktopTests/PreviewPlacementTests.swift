import TestSupport
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct PreviewPlacementTests {
    private let size = PreviewPlacement.Size(width: 160, height: 120)
    private let area = PreviewPlacement.Area(size: .init(width: 900, height: 640), top: 50, bottom: 90)

    private func isInside(_ frame: PreviewPlacement.Frame, _ area: PreviewPlacement.Area) -> Bool {
        frame.origin.x >= 0 && frame.origin.y >= 0
            && frame.origin.x + frame.size.width <= area.size.width + 0.001
            && frame.origin.y + frame.size.height <= area.size.height + 0.001
    }

    @Test func `rests in the lower right above the controls`() {
        let frame = PreviewPlacement().frame(size, in: area)
        #expect(frame.origin.x == 724)
        #expect(frame.origin.y == 414)
    }

    @Test func `where lines run from right to left it rests in the lower left`() {
        #expect(PreviewPlacement(isMirrored: true).corner == .bottomLeft)
        #expect(PreviewPlacement().corner == .bottomRight)
    }

    @Test func `a dragged preview follows the finger and goes to the nearest corner`() {
        var placement = PreviewPlacement()
        placement.grab(size, in: area)
        placement.drag(by: .init(x: -650, y: -380))
        #expect(placement.frame(size, in: area).origin == .init(x: 74, y: 34))
        placement.release(size, in: area)
        #expect(placement.corner == .topLeft)
        #expect(placement.frame(size, in: area).origin == .init(x: 16, y: 66))
    }

    @Test func `a small tug leaves it in its corner`() {
        var placement = PreviewPlacement()
        placement.grab(size, in: area)
        placement.drag(by: .init(x: -30, y: -20))
        placement.release(size, in: area)
        #expect(placement == PreviewPlacement())
    }

    @Test(arguments: [
        (PreviewPlacement.Direction.left, PreviewPlacement.Corner.bottomLeft), (.up, .topRight), (.right, .bottomRight),
        (.down, .bottomRight),
    ])
    func `the keyboard sends it to the corner there, or leaves it at its edge`(
        direction: PreviewPlacement.Direction, corner: PreviewPlacement.Corner
    ) {
        var placement = PreviewPlacement()
        placement.move(direction)
        #expect(placement.corner == corner)
    }

    @Test func `four keys go round all corners`() {
        var placement = PreviewPlacement()
        var corners: [PreviewPlacement.Corner] = []
        for direction in [PreviewPlacement.Direction.up, .left, .down, .right] {
            placement.move(direction)
            corners.append(placement.corner)
        }
        #expect(corners == [.topRight, .topLeft, .bottomLeft, .bottomRight])
    }

    @Test func `a hand that trembles taps, and one that went away and came back does not`() {
        var placement = PreviewPlacement()
        placement.grab(size, in: area)
        placement.drag(by: .init(x: -7, y: 7))
        let trembled = placement.release(size, in: area)
        placement.grab(size, in: area)
        placement.drag(by: .init(x: 0, y: -9))
        placement.drag(by: .init(x: 0, y: 0))
        let wentAway = placement.release(size, in: area)
        placement.grab(size, in: area)
        let tapped = placement.release(size, in: area)
        #expect([trembled, wentAway, tapped] == [true, false, true])
    }

    @Test func `it stays in its corner when the window changes`() {
        var placement = PreviewPlacement()
        placement.grab(size, in: area)
        placement.drag(by: .init(x: 0, y: -600))
        placement.release(size, in: area)
        var wider = area
        wider.size = .init(width: 1400, height: 800)
        #expect(placement.corner == .topRight)
        #expect(placement.frame(size, in: wider).origin == .init(x: 1400 - 160 - 16, y: 66))
    }

    @Test func `no drag and no resize takes it out of the window`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var placement = PreviewPlacement()
            var area = PreviewPlacement.Area(
                size: .init(
                    width: .random(in: 200...2000, using: &random), height: .random(in: 160...1500, using: &random)),
                top: 48, bottom: 80)
            let picture = PreviewPlacement.Size(
                width: .random(in: 1...2000, using: &random), height: .random(in: 1...2000, using: &random))
            var size = PreviewPlacement.size(of: picture, in: area)
            placement.grab(size, in: area)
            placement.drag(
                by: .init(
                    x: .random(in: -4000...4000, using: &random), y: .random(in: -4000...4000, using: &random)))
            #expect(isInside(placement.frame(size, in: area), area))
            area.size = .init(
                width: .random(in: 200...2000, using: &random), height: .random(in: 160...1500, using: &random))
            size = PreviewPlacement.size(of: picture, in: area)
            #expect(isInside(placement.frame(size, in: area), area))
            placement.release(size, in: area)
            #expect(isInside(placement.frame(size, in: area), area))
        }
    }

    @Test func `the preview keeps the pictures shape and never takes more than half`() {
        let small = PreviewPlacement.Area(size: .init(width: 200, height: 150))
        let size = PreviewPlacement.size(of: .init(width: 640, height: 480), in: small)
        #expect(size.width * 3 == size.height * 4)
        #expect(size.width <= 100)
        #expect(size.height <= 75)
        let unknown = PreviewPlacement.size(of: .init(width: 0, height: 0), in: area)
        #expect(unknown.width > unknown.height)
    }

    @Test(arguments: [360, 540, 900, 1_280, 1_920, 2_560, 3_840], [4.0 / 3, 16.0 / 9, 3.0 / 4])
    func `it is 15 to 30 percent as wide as the window, from a phone's width to 4K`(width: Int, aspect: Double) {
        let area = PreviewPlacement.Area(size: .init(width: Double(width), height: Double(width) * 0.75))
        let size = PreviewPlacement.size(of: .init(width: 480 * aspect, height: 480), in: area)
        #expect((0.1499...0.3001).contains(size.width / Double(width)), "\(size.width)")
        #expect(abs(size.width / size.height - aspect) < 0.01)
    }

    @Test func `another small picture lies in the corner beside and inside`() {
        let area = PreviewPlacement.Area(size: .init(width: 900, height: 700), top: 56, bottom: 0)
        let size = PreviewPlacement.Size(width: 200, height: 150)
        var placement = PreviewPlacement()
        #expect(placement.companion(size, in: area).origin == .init(x: 16, y: 534))
        placement.grab(size, in: area)
        placement.drag(by: .init(x: -800, y: -600))
        placement.release(size, in: area)
        #expect(placement.corner == .topLeft)
        #expect(placement.companion(size, in: area).origin == .init(x: 684, y: 72))
    }
}
