/// Where the notices of a call lie: in the middle above the controls, and higher where they would lie over a small picture.
enum NoticePlacement {
    /// How far they stay from what is around them, in pixels.
    static let gap = 12.0

    /// Where notices of this size lie. `area.bottom` is what the controls take, `pictures` are the small ones.
    static func frame(
        _ size: PreviewPlacement.Size, in area: PreviewPlacement.Area, beside pictures: [PreviewPlacement.Frame]
    ) -> PreviewPlacement.Frame {
        let x = max((area.size.width - size.width) / 2, 0)
        let lowest = area.size.height - area.bottom - gap - size.height
        let higher = pictures.map { $0.origin.y - gap - size.height }
        let places = ([lowest] + higher.filter { $0 < lowest }.sorted(by: >)).filter { $0 >= area.top }
            .map { PreviewPlacement.Frame(origin: .init(x: x, y: $0), size: size) }
        let free = places.first { place in !pictures.contains { place.overlaps($0) } }
        // Where nothing is free, a sentence goes before the small picture.
        return free ?? .init(origin: .init(x: x, y: max(lowest, area.top)), size: size)
    }
}

/// Where the face lies that stands for a picture, with name and duration at its foot: in the middle, and higher where notices or
/// controls would lie over it.
enum FacePlacement {
    /// Where a face of this size lies; `notices` is nil where there are none.
    static func frame(
        _ size: PreviewPlacement.Size, in area: PreviewPlacement.Area, above notices: PreviewPlacement.Frame?
    ) -> PreviewPlacement.Frame {
        let bottom = min(area.size.height - area.bottom, notices?.origin.y ?? .infinity) - NoticePlacement.gap
        // Its head may go under the header: what must be read is at its foot.
        let y = min((area.size.height - size.height) / 2, bottom - size.height)
        return .init(origin: .init(x: max((area.size.width - size.width) / 2, 0), y: y), size: size)
    }
}

extension PreviewPlacement.Frame {
    /// Whether the two boxes share more than an edge.
    func overlaps(_ other: Self) -> Bool {
        origin.x < other.origin.x + other.size.width && other.origin.x < origin.x + size.width
            && origin.y < other.origin.y + other.size.height && other.origin.y < origin.y + size.height
    }
}
