import TestSupport
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct NoticePlacementTests {
    typealias Frame = PreviewPlacement.Frame
    private let area = PreviewPlacement.Area(size: .init(width: 400, height: 600), top: 56, bottom: 80)

    private func frame(_ width: Double, _ height: Double, beside pictures: [Frame] = []) -> Frame {
        NoticePlacement.frame(.init(width: width, height: height), in: area, beside: pictures)
    }

    @Test func `notices lie in the middle above the controls`() {
        #expect(frame(200, 40).origin == .init(x: 100, y: 468))
    }

    @Test func `a small picture in the way sends them above it`() {
        let picture = Frame(origin: .init(x: 260, y: 420), size: .init(width: 120, height: 90))
        #expect(frame(200, 40, beside: [picture]).origin == .init(x: 100, y: 368))
        #expect(frame(100, 40, beside: [picture]).origin == .init(x: 150, y: 468), "beside it there is room")
    }

    @Test func `of two pictures the higher counts where both are in the way`() {
        let right = Frame(origin: .init(x: 260, y: 420), size: .init(width: 120, height: 90))
        let left = Frame(origin: .init(x: 20, y: 380), size: .init(width: 120, height: 130))
        #expect(frame(380, 40, beside: [right, left]).origin.y == 328)
    }

    @Test func `where nothing is free they stay below the header and above the controls`() {
        let everywhere = Frame(origin: .init(x: 0, y: 0), size: .init(width: 400, height: 600))
        #expect(frame(200, 40, beside: [everywhere]).origin.y == 468)
        #expect(frame(200, 590, beside: []).origin.y == 56)
    }

    @Test func `a face lies in the middle, and above notices and controls that would lie over its foot`() {
        let size = PreviewPlacement.Size(width: 200, height: 240)
        func place(above notices: Frame?, in area: PreviewPlacement.Area) -> Frame {
            FacePlacement.frame(size, in: area, above: notices)
        }
        #expect(place(above: nil, in: area).origin == .init(x: 100, y: 180))
        let low = Frame(origin: .init(x: 50, y: 440), size: .init(width: 300, height: 60))
        #expect(place(above: low, in: area).origin.y == 180)
        let high = Frame(origin: .init(x: 50, y: 300), size: .init(width: 300, height: 200))
        #expect(place(above: high, in: area).origin.y == 48)
        var small = area
        small.size.height = 320
        #expect(place(above: nil, in: small).origin.y == -12, "the head goes, the name stays")
    }

    @Test func `no notice lies over a picture while there is room, nor ever over the header`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let pictures = (0..<2).map { _ in
                Frame(
                    origin: .init(x: .random(in: 0...300, using: &random), y: .random(in: 150...420, using: &random)),
                    size: .init(width: 100, height: 80))
            }
            let placed = frame(
                .random(in: 20...400, using: &random), .random(in: 20...80, using: &random), beside: pictures)
            #expect(placed.origin.y >= area.top)
            #expect(!pictures.contains { placed.overlaps($0) })
        }
    }
}
