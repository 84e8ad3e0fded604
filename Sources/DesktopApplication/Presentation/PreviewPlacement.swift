/// Where the local preview lies over the remote picture: in a corner, or under the finger while it is dragged. Always inside.
struct PreviewPlacement: Equatable {
    /// A place in pixels, from the upper left.
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    /// An extent in pixels.
    struct Size: Equatable {
        var width: Double
        var height: Double
    }

    /// A box in pixels.
    struct Frame: Equatable {
        var origin: Point
        var size: Size

        /// Whether a point lies in the box.
        func contains(_ point: Point) -> Bool {
            point.x >= origin.x && point.y >= origin.y && point.x <= origin.x + size.width
                && point.y <= origin.y + size.height
        }
    }

    /// The room there is, and how much of it at the edges belongs to the header and the controls.
    struct Area: Equatable {
        var size: Size
        var margin = 16.0
        var top = 0.0
        var bottom = 0.0
    }

    /// Where the preview rests.
    enum Corner: CaseIterable, Equatable { case topLeft, topRight, bottomLeft, bottomRight }

    /// Where the keyboard sends it.
    enum Direction: CaseIterable, Equatable { case left, right, up, down }

    /// The corner it rests in, or will return to.
    private(set) var corner: Corner
    private var held: (grip: Frame, offset: Point)?
    /// Whether it has left the place where it was taken.
    private var isDragged = false

    /// How far a hand trembles that only taps, in pixels.
    static let tremble = 8.0

    /// It begins in the lower corner at the end of a line.
    /// - Parameter isMirrored: Whether lines run from right to left.
    init(isMirrored: Bool = false) { corner = isMirrored ? .bottomLeft : .bottomRight }

    /// Two placements are equal when the preview lies the same.
    static func == (left: Self, right: Self) -> Bool {
        left.corner == right.corner && left.held?.grip == right.held?.grip && left.held?.offset == right.held?.offset
    }

    /// How large a preview of pictures of this size is: 30 % of the area's width where that is narrow, down to 15 % where it is wide; less
    /// only where it would be higher than half the area.
    static func size(of picture: Size, in area: Area) -> Size {
        let aspect = picture.width > 0 && picture.height > 0 ? picture.width / picture.height : 4.0 / 3.0
        // From a phone's width to that of a large screen.
        let share = min(max(0.3 - (area.size.width - 360) / (1_920 - 360) * 0.12, 0.15), 0.3)
        // One that stands is narrower.
        let width = area.size.width * (aspect >= 1 ? share : max(share * 0.75, 0.15))
        let height = width / aspect
        let shrink = min(1, area.size.height / 2 / max(height, 1))
        return Size(width: max(width * shrink, 1), height: max(height * shrink, 1))
    }

    /// Where a preview of this size lies now.
    func frame(_ size: Size, in area: Area) -> Frame {
        if let held {
            let moved = Point(x: held.grip.origin.x + held.offset.x, y: held.grip.origin.y + held.offset.y)
            return Frame(origin: Self.clamp(moved, size, in: area, margin: 0), size: size)
        }
        return Frame(origin: Self.origin(corner, size, in: area), size: size)
    }

    /// Where another small picture lies: in the corner beside the preview's.
    func companion(_ size: Size, in area: Area) -> Frame {
        let beside: Corner =
            switch corner {
            case .topLeft: .topRight
            case .topRight: .topLeft
            case .bottomLeft: .bottomRight
            case .bottomRight: .bottomLeft
            }
        return Frame(origin: Self.origin(beside, size, in: area), size: size)
    }

    /// The person took the preview.
    mutating func grab(_ size: Size, in area: Area) {
        held = (frame(size, in: area), Point(x: 0, y: 0))
        isDragged = false
    }

    /// The person moved it this far from where it was taken.
    mutating func drag(by offset: Point) {
        guard held != nil else { return }
        held?.offset = offset
        if max(abs(offset.x), abs(offset.y)) >= Self.tremble { isDragged = true }
    }

    /// The person sends it towards an edge by the keyboard: it goes to the corner there.
    mutating func move(_ direction: Direction) {
        switch (direction, corner) {
        case (.left, .topRight), (.up, .bottomLeft): corner = .topLeft
        case (.right, .topLeft), (.up, .bottomRight): corner = .topRight
        case (.left, .bottomRight), (.down, .topLeft): corner = .bottomLeft
        case (.right, .bottomLeft), (.down, .topRight): corner = .bottomRight
        default: break
        }
    }

    /// The person let go: it goes to the nearest corner.
    ///
    /// - Returns: Whether it was only tapped.
    @discardableResult mutating func release(_ size: Size, in area: Area) -> Bool {
        let last = frame(size, in: area)
        held = nil
        let nearest = Corner.allCases.min { left, right in
            distance(last.origin, Self.origin(left, size, in: area))
                < distance(last.origin, Self.origin(right, size, in: area))
        }
        corner = nearest ?? corner
        return !isDragged
    }

    private static func origin(_ corner: Corner, _ size: Size, in area: Area) -> Point {
        let isLeft = corner == .topLeft || corner == .bottomLeft
        let isTop = corner == .topLeft || corner == .topRight
        let wanted = Point(
            x: isLeft ? area.margin : area.size.width - size.width - area.margin,
            y: isTop ? area.top + area.margin : area.size.height - size.height - area.bottom - area.margin)
        return clamp(wanted, size, in: area, margin: 0)
    }

    private static func clamp(_ point: Point, _ size: Size, in area: Area, margin: Double) -> Point {
        Point(
            x: max(margin, min(point.x, area.size.width - size.width - margin)),
            y: max(margin, min(point.y, area.size.height - size.height - margin)))
    }

    private func distance(_ one: Point, _ other: Point) -> Double {
        let (x, y) = (one.x - other.x, one.y - other.y)
        return x * x + y * y
    }
}
