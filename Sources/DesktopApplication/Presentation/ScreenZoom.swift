import Foundation

/// Which part of a shared screen is seen: how large it is shown, and where.
struct ScreenZoom: Equatable {
    /// A place, in parts of a box from its upper left corner: 0 to 1 both ways.
    struct Place: Equatable {
        var x: Double
        var y: Double

        static let middle = Place(x: 0.5, y: 0.5)
    }

    /// The largest scale; 1 shows the whole screen.
    static let most = 8.0
    /// What one press of a key or one step of a wheel makes of it.
    static let step = 1.25
    /// How far one press moves what is seen, in parts of the box.
    static let stride = 0.2

    /// So many pixels of a finger's way on a touchpad are one step of a wheel.
    static let pixelsInStep = 60.0

    /// By how much the screen becomes larger where the person has scrolled down so many steps of a wheel, or by a touchpad so many pixels.
    static func factor(scrolled way: Double, isByPixels: Bool) -> Double {
        let steps = isByPixels ? way / pixelsInStep : way
        return pow(step, -min(max(steps, -4), 4))
    }

    private(set) var scale = 1.0
    /// The upper left corner of what is seen, in parts of the screen.
    private(set) var corner = Place(x: 0, y: 0)

    /// Whether only a part of the screen is seen.
    var isZoomed: Bool { scale > 1 }

    /// Makes it larger or smaller; what lies at `place` of the box stays there.
    mutating func zoom(by factor: Double, at place: Place = .middle) {
        guard factor.isFinite, factor > 0, place.x.isFinite, place.y.isFinite else { return }
        let new = min(max(scale * factor, 1), Self.most)
        let kept = Place(x: corner.x + place.x / scale, y: corner.y + place.y / scale)
        scale = new
        setCorner(Place(x: kept.x - place.x / new, y: kept.y - place.y / new))
    }

    /// Moves the screen under the box, by parts of the box, as a finger on it does.
    mutating func pan(x: Double, y: Double) {
        guard x.isFinite, y.isFinite else { return }
        setCorner(Place(x: corner.x - x / scale, y: corner.y - y / scale))
    }

    /// Shows the whole screen.
    mutating func reset() { self = ScreenZoom() }

    /// Nothing beside the screen is ever seen.
    private mutating func setCorner(_ wanted: Place) {
        let room = 1 - 1 / scale
        corner = Place(x: min(max(wanted.x, 0), room), y: min(max(wanted.y, 0), room))
    }

    /// The box in which a screen of this size is shown whole within an area, as a picture is that keeps its shape; nil where there is none.
    static func box(of screen: PreviewPlacement.Size, in area: PreviewPlacement.Size) -> PreviewPlacement.Frame? {
        guard screen.width > 0, screen.height > 0, area.width > 0, area.height > 0 else { return nil }
        let factor = min(area.width / screen.width, area.height / screen.height)
        let size = PreviewPlacement.Size(width: screen.width * factor, height: screen.height * factor)
        return .init(
            origin: .init(x: (area.width - size.width) / 2, y: (area.height - size.height) / 2), size: size)
    }

    /// Where a point of the area lies in the box; what lies beside the box counts as its edge.
    static func place(of point: PreviewPlacement.Point, in box: PreviewPlacement.Frame) -> Place {
        Place(
            x: min(max((point.x - box.origin.x) / box.size.width, 0), 1),
            y: min(max((point.y - box.origin.y) / box.size.height, 0), 1))
    }
}
