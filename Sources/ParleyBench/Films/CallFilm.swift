import Foundation

/// The film that both sides of a measured call show: five seconds at 30 pictures a second, each with its number drawn in it; and the
/// sound that a browser hears.
struct CallFilm: Sendable {
    static let pictures = 150

    let width: Int
    let height: Int

    /// Raw pictures, YUV4MPEG2, which a browser takes for a camera; and the same in Matroska, for Parley.
    let path: String
    let parley: String
    /// A sound file of 11 s with a beep every 1.1 s, or with the tone of Parley's test microphone.
    let sound: String
    /// Where the first picture begins, and how many bytes each takes.
    private let start: Int
    private let step: Int

    /// Makes all in a folder. Throws ``BenchError/call(_:)``.
    init(in folder: String, scene: FilmScene = .near(), hasTone: Bool = false) throws {
        (width, height) = (scene.width, scene.height)
        (path, parley) = (folder + "/call.y4m", folder + "/call.mkv")
        _ = try Film.write(
            path, scene.pipeline(pictures: Self.pictures, to: "y4menc ! filesink location=\(folder)/call.y4m"))
        let source = hasTone ? "audiotestsrc freq=440 volume=0.1 samplesperbuffer=480" : Self.beeps(isLive: false)
        sound = try Film.write(
            folder + "/call.wav",
            """
            \(source) num-buffers=1100 ! audio/x-raw,format=S16LE,rate=48000,channels=1 ! wavenc ! \
            filesink location=\(folder)/call.wav
            """)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        let head = try file.read(upToCount: 256) ?? Data()
        guard let line = head.firstIndex(of: UInt8(ascii: "\n")) else { throw BenchError.call("the film has no head") }
        // Each picture begins with a line of its own, "FRAME".
        start = line + 1 + 6
        step = 6 + width * height * 3 / 2
        for number in 0..<Self.pictures { try draw(number, in: file) }
        _ = try Film.write(
            parley,
            """
            filesrc location=\(path) ! y4mdec ! capssetter caps=video/x-raw,colorimetry=bt601 ! matroskamux ! \
            filesink location=\(parley)
            """)
    }

    /// Beeps of 80 ms, one every 1.1 s, as a part of a pipeline that more properties may follow.
    static func beeps(isLive: Bool) -> String {
        """
        audiotestsrc wave=ticks freq=1000 sine-periods-per-tick=80 tick-interval=1100000000 volume=0.6 \
        samplesperbuffer=480 is-live=\(isLive)
        """
    }

    /// The pictures alone in a file, and the part of a pipeline that shows them over and over. Throws ``BenchError/call(_:)``.
    func endless(in folder: String) throws -> String {
        let raw = try Film.write(
            folder + "/call.raw", "filesrc location=\(path) ! y4mdec ! filesink location=\(folder)/call.raw")
        return """
            multifilesrc loop=true location=\(raw) ! \
            rawvideoparse format=i420 width=\(width) height=\(height) framerate=30/1 colorimetry=bt601 ! identity sync=true
            """
    }

    /// A picture as it is shown. Throws ``BenchError/call(_:)``.
    func picture(_ number: Int) throws -> LumaPicture {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        return try read(number, from: file)
    }

    /// How much a picture that is shown is like the one with its number; nil where none can be read. Throws ``BenchError/call(_:)``.
    func similarity(of shown: LumaPicture) throws -> Double? {
        guard let number = TimeCode.read(shown), number < Self.pictures else { return nil }
        return StructuralSimilarity.compare(try picture(number), with: shown)
    }

    private func read(_ number: Int, from file: FileHandle) throws -> LumaPicture {
        try file.seek(toOffset: UInt64(start + number * step))
        let bytes = try file.read(upToCount: width * height) ?? Data()
        guard let picture = LumaPicture(width: width, height: height, bytes: bytes) else {
            throw BenchError.call("the film is too short")
        }
        return picture
    }

    /// Draws the number, and takes the colour away from where it is.
    private func draw(_ number: Int, in file: FileHandle) throws {
        var picture = try read(number, from: file)
        TimeCode.draw(number, in: &picture)
        let offset = start + number * step
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: picture.bytes.prefix(width * 64))
        let grey = Data(repeating: 128, count: TimeCode.squares * width / TimeCode.squaresInWidth / 2)
        let planes = offset + width * height
        for plane in 0..<2 {
            for row in 0..<width / TimeCode.squaresInWidth / 2 {
                let place = planes + plane * width * height / 4 + row * width / 2
                try file.seek(toOffset: UInt64(place))
                try file.write(contentsOf: grey)
            }
        }
    }
}
