import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct MiniWindowGeometryTests {
    private static let left = MiniWindowGeometry.Monitor(x: 0, y: 0, width: 1_280, height: 800)
    private static let right = MiniWindowGeometry.Monitor(x: 1_280, y: 0, width: 1_920, height: 1_080)

    @Test(arguments: [
        (100, 100, true), (-20, -15, true), (-240, 100, true), (-241, 100, false), (100, -141, false), (100, 720, true),
        (100, 721, false), (1_250, 900, true), (3_121, 100, false),
    ])
    func `the window comes back where a hand still finds it`(x: Int, y: Int, isKept: Bool) {
        let geometry = MiniWindowGeometry(width: 320, height: 220, place: .init(x: x, y: y))
        #expect(geometry.place(on: [Self.left, Self.right]) == (isKept ? .init(x: x, y: y) : nil))
    }

    @Test func `on a monitor that has gone it is not looked for`() {
        let geometry = MiniWindowGeometry(place: .init(x: 1_500, y: 300))
        #expect(geometry.place(on: [Self.left, Self.right]) != nil)
        #expect(geometry.place(on: [Self.left]) == nil)
        #expect(MiniWindowGeometry().place(on: [Self.left]) == nil)
    }
}
