/// The size of the window of a small call, and where it is.
struct MiniWindowGeometry: Equatable {
    /// The place of its upper left corner, in the display's pixels.
    struct Place: Equatable {
        var x: Int
        var y: Int
    }

    /// A monitor, in the display's pixels.
    struct Monitor: Equatable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    /// How much of it must be on a monitor, so that a hand finds it, in pixels.
    static let grip = 80

    var width = 320
    var height = 220
    /// Nil where the window manager is to choose.
    var place: Place?

    /// Its place, unless the monitor that it was on has gone.
    func place(on monitors: [Monitor]) -> Place? {
        guard let place else { return nil }
        let isSeen = monitors.contains { monitor in
            overlap(place.x, width, monitor.x, monitor.width) >= Self.grip
                && overlap(place.y, height, monitor.y, monitor.height) >= Self.grip
        }
        return isSeen ? place : nil
    }

    private func overlap(_ start: Int, _ length: Int, _ other: Int, _ otherLength: Int) -> Int {
        min(start + length, other + otherLength) - max(start, other)
    }
}
