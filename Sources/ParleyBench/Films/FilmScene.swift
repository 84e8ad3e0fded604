/// What is seen in a film: coloured bars, on which things may move.
struct FilmScene: Sendable, Equatable {
    /// A part in which something happens: GStreamer's words for it, and where it is.
    struct Motion: Sendable, Equatable {
        var pattern: String
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    var width: Int
    var height: Int
    var motions: [Motion]

    private static let wheel = "pinwheel animation-mode=frames", noise = "snow"

    /// As hard to encode as people who are near: 1280x720, or less; `part`: by how much it is smaller either way.
    static func near(part: Int = 1) -> FilmScene {
        FilmScene(
            width: 1_280 / part, height: 720 / part,
            motions: [
                Motion(pattern: wheel, x: 400 / part, y: 110 / part, width: 480 / part, height: 500 / part),
                Motion(pattern: noise, x: 60 / part, y: 520 / part, width: 192 / part, height: 128 / part),
            ])
    }

    /// As hard to encode as people in a room, most of it still: 640x480, or 1280x720; where `isStill`, next to nothing happens in it.
    static func room(isLarge: Bool = false, isStill: Bool = false) -> FilmScene {
        FilmScene(
            width: isLarge ? 1_280 : 640, height: isLarge ? 720 : 480,
            motions: isStill
                ? []
                : [
                    Motion(pattern: wheel, x: 160, y: 90, width: 320, height: 300),
                    Motion(pattern: noise, x: 20, y: 380, width: 96, height: 64),
                ])
    }

    /// A pipeline's part that makes so many raw pictures of it, at 30 a second, and hands them to `tail`.
    func pipeline(pictures: Int, to tail: String) -> String {
        func source(_ pattern: String, _ width: Int, _ height: Int, pad: Int) -> String {
            """
            videotestsrc num-buffers=\(pictures) pattern=\(pattern) ! \
            video/x-raw,format=BGRA,width=\(width),height=\(height),framerate=30/1 ! mix.sink_\(pad)
            """
        }
        let places = motions.enumerated().map { index, motion in
            " sink_\(index + 1)::xpos=\(motion.x) sink_\(index + 1)::ypos=\(motion.y)"
        }
        let sources = motions.enumerated().map { index, motion in
            source(motion.pattern, motion.width, motion.height, pad: index + 1)
        }
        // Of colours that can be drawn: others would be lost in a window, as if the call had lost them.
        let mixed = """
            video/x-raw,format=BGRA,width=\(width),height=\(height),framerate=30/1 ! videoconvert ! \
            video/x-raw,format=I420,colorimetry=bt601
            """
        return "compositor name=mix\(places.joined()) ! \(mixed) ! \(tail) "
            + ([source("smpte", width, height, pad: 0)] + sources).joined(separator: " ")
    }
}
