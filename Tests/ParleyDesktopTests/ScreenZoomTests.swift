import TestSupport
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct ScreenZoomTests {
    private func close(_ left: ScreenZoom.Place, _ right: ScreenZoom.Place) -> Bool {
        abs(left.x - right.x) < 0.000_001 && abs(left.y - right.y) < 0.000_001
    }

    @Test func `it begins whole, and zooms around the middle`() {
        var zoom = ScreenZoom()
        #expect(!zoom.isZoomed && zoom.corner == .init(x: 0, y: 0))
        zoom.zoom(by: 2)
        #expect(zoom.scale == 2 && zoom.corner == .init(x: 0.25, y: 0.25))
        zoom.zoom(by: 0.5)
        #expect(zoom == ScreenZoom())
    }

    @Test func `a wheel zooms by steps, and a touchpad by how far the finger goes`() {
        #expect(abs(ScreenZoom.factor(scrolled: -1, isByPixels: false) - ScreenZoom.step) < 0.000_001)
        #expect(abs(ScreenZoom.factor(scrolled: 1, isByPixels: false) * ScreenZoom.step - 1) < 0.000_001)
        let events = (0..<3).reduce(1.0) { factor, _ in factor * ScreenZoom.factor(scrolled: -20, isByPixels: true) }
        #expect(abs(events - ScreenZoom.step) < 0.000_001)
        #expect(ScreenZoom.factor(scrolled: -100_000, isByPixels: true) < 3, "one event is no more than four steps")
    }

    @Test func `a screen is moved as a finger moves it, as far as its edges`() {
        var zoom = ScreenZoom()
        zoom.pan(x: 0.5, y: 0.5)
        #expect(zoom == ScreenZoom(), "there is nothing to move")
        zoom.zoom(by: 4)
        zoom.pan(x: 0.4, y: -0.4)
        #expect(close(zoom.corner, .init(x: 0.275, y: 0.475)))
        zoom.pan(x: 100, y: -100)
        #expect(close(zoom.corner, .init(x: 0, y: 0.75)))
        zoom.reset()
        #expect(zoom == ScreenZoom())
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `whatever is done, nothing beside the screen is seen, and what lies under the pointer stays there`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        var zoom = ScreenZoom()
        for _ in 0..<2_000 {
            let place = ScreenZoom.Place(
                x: .random(in: 0...1, using: &generator), y: .random(in: 0...1, using: &generator))
            let before = zoom
            if Bool.random(using: &generator) {
                zoom.zoom(by: .random(in: 0.3...3, using: &generator), at: place)
                // Towards the screen nothing has to be held back at its edges.
                if zoom.scale > before.scale {
                    let (old, new) = (
                        ScreenZoom.Place(
                            x: before.corner.x + place.x / before.scale, y: before.corner.y + place.y / before.scale),
                        ScreenZoom.Place(
                            x: zoom.corner.x + place.x / zoom.scale, y: zoom.corner.y + place.y / zoom.scale)
                    )
                    #expect(close(old, new))
                }
            } else {
                zoom.pan(
                    x: .random(in: -3...3, using: &generator), y: .random(in: -3...3, using: &generator))
            }
            #expect((1...ScreenZoom.most).contains(zoom.scale))
            for edge in [zoom.corner.x, zoom.corner.y] {
                #expect(edge >= 0 && edge + 1 / zoom.scale <= 1.000_001)
            }
        }
    }

    @Test func `what is no number changes nothing`() {
        var zoom = ScreenZoom()
        zoom.zoom(by: 3)
        let before = zoom
        for factor in [Double.nan, .infinity, 0, -1] { zoom.zoom(by: factor) }
        zoom.zoom(by: 2, at: .init(x: .nan, y: 0))
        zoom.pan(x: .infinity, y: .nan)
        #expect(zoom == before)
    }

    @Test func `a place on the page is one on the screen, beside which there is nothing`() throws {
        // A wide screen in a square: bars above and below.
        let box = try #require(
            ScreenZoom.box(of: .init(width: 1_600, height: 800), in: .init(width: 400, height: 400)))
        #expect(box.origin == .init(x: 0, y: 100) && box.size == .init(width: 400, height: 200))
        #expect(ScreenZoom.place(of: .init(x: 200, y: 150), in: box) == .init(x: 0.5, y: 0.25))
        #expect(ScreenZoom.place(of: .init(x: 500, y: 20), in: box) == .init(x: 1, y: 0))
        #expect(ScreenZoom.box(of: .init(width: 0, height: 0), in: .init(width: 400, height: 400)) == nil)
    }
}
