import BaseKit
import CGStreamer
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// What becomes of colours between a source and a screen. VP8's are YUV by BT.601, black 16 and white 235 (RFC 6386 §9.2), however many
    /// rows there are.
    @Suite(.timeLimit(.minutes(5))) struct ColoursTests {
        /// A picture of one colour, as a source gives it.
        struct Given: Sendable, CustomTestStringConvertible {
            var format: String
            var colorimetry: String?
            /// Brightness and both colours; or blue, green and red.
            var colour: [UInt8]
            var width = 1_280
            var height = 720
            var testDescription: String { "\(format) \(colorimetry ?? "unsaid") \(width)x\(height) \(colour)" }

            var caps: String {
                "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=30/1"
                    + (colorimetry.map { ",colorimetry=\($0)" } ?? "")
            }

            var bytes: [UInt8] {
                let (pixels, quarter) = (width * height, width * height / 4)
                return switch format {
                case "I420":
                    [UInt8](repeating: colour[0], count: pixels) + [UInt8](repeating: colour[1], count: quarter)
                        + [UInt8](repeating: colour[2], count: quarter)
                case "Y42B":
                    [UInt8](repeating: colour[0], count: pixels) + [UInt8](repeating: colour[1], count: pixels / 2)
                        + [UInt8](repeating: colour[2], count: pixels / 2)
                case "YUY2":
                    [[UInt8]](repeating: [colour[0], colour[1], colour[0], colour[2]], count: pixels / 2).flatMap { $0 }
                case "GRAY8": [UInt8](repeating: colour[0], count: pixels)
                default: [[UInt8]](repeating: colour + [255], count: pixels).flatMap { $0 }
                }
            }
        }

        private static let red: [UInt8] = [81, 90, 240]
        private static let green: [UInt8] = [145, 54, 34]

        typealias Reading = @Sendable (UnsafeRawBufferPointer, _ width: Int, _ height: Int) -> [UInt8]

        /// What a chain gives for pictures of one colour each, one format after the other: what is read in the last picture of each number of rows.
        private static func pass(
            _ given: [Given], through chain: Element, output: String = "frames", reading read: @escaping Reading
        ) async throws -> [Int: [UInt8]] {
            let colours = Shared<[Int: [UInt8]]>([:])
            let pipeline = try Pipeline { _ in }
            let head = try Element.bin("appsrc name=source format=time is-live=true")
            try #require(try chain.child(output).pad("sink")).onBuffer { pad, buffer in
                guard let rows = PictureSize(of: pad)?.height else { return }
                let colour = look(at: buffer, passing: pad, read)
                colours.change { $0[rows] = colour }
            }
            pipeline.element.add(head, chain)
            try #require(head.link(to: chain))
            pipeline.element.setState(GST_STATE_PLAYING)
            let source = try head.child("source")
            var time: GstClockTime = 0
            for (index, given) in given.enumerated() {
                let caps = try #require(gst_caps_from_string(given.caps))
                source.setSourceFormat(caps)
                gst_caps_unref(caps)
                let bytes = given.bytes
                // A queue may let some go.
                try await eventually {
                    let buffer = bytes.withUnsafeBytes { gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) }
                    buffer?.pointee.pts = time
                    time += 33_333_333
                    gst_app_src_push_buffer(source.pointer(), buffer)
                    return colours.value.count == index + 1
                }
            }
            await MediaQueue.run { pipeline.close() }
            return colours.value
        }

        /// Reads bytes of a picture that passes a pad; nil when there is none.
        private static func look(
            at buffer: UnsafeMutablePointer<GstBuffer>, passing pad: UnsafeMutablePointer<GstPad>, _ read: Reading
        ) -> [UInt8]? {
            var map = GstMapInfo()
            guard let size = PictureSize(of: pad), gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
            defer { gst_buffer_unmap(buffer, &map) }
            return read(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)), size.width, size.height)
        }

        /// Brightness and both colours in the middle of a picture of I420.
        private static func planar(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> [UInt8] {
            let (pixels, middle) = (width * height, height / 4 * (width / 2) + width / 4)
            return [bytes[height / 2 * width + width / 2], bytes[pixels + middle], bytes[pixels + pixels / 4 + middle]]
        }

        /// Blue, green and red in the middle of a picture as it is drawn.
        private static func drawn(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> [UInt8] {
            let middle = (height / 2 * width + width / 2) * 4
            return Array(bytes[middle..<middle + 3])
        }

        private static func expect(
            _ colour: [UInt8], near wanted: [UInt8], by most: Int = 2,
            _ sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let isNear =
                colour.count == wanted.count && zip(colour, wanted).allSatisfy { abs(Int($0) - Int($1)) <= most }
            #expect(isNear, "\(colour) in place of \(wanted)", sourceLocation: sourceLocation)
        }

        /// What pictures come from.
        enum Source: CaseIterable, Sendable { case camera, screen }

        /// What is sent of a picture.
        private static func sent(_ given: Given, from source: Source) async throws -> [UInt8] {
            let sent = try await Self.sent([given], from: source)
            return try #require(sent[given.height])
        }

        private static func sent(_ given: [Given], from source: Source) async throws -> [Int: [UInt8]] {
            try MediaRuntime.start()
            let tail =
                switch source {
                case .camera:
                    try CaptureChains.tail(
                        kind: .video, size: CameraQuality.high.size, hasPreview: false, isPaced: false)
                case .screen: try ScreenCapture.makeTail(.text, isPaced: false)
                }
            return try await pass(given, through: tail, reading: planar)
        }

        @Test(
            arguments: [
                Given(format: "I420", colorimetry: nil, colour: red),
                Given(format: "I420", colorimetry: nil, colour: red, width: 640, height: 480),
                Given(format: "YUY2", colorimetry: nil, colour: green),
                Given(format: "YUY2", colorimetry: "2:4:7:1", colour: green, width: 1_920, height: 1_080),
                Given(format: "I420", colorimetry: "bt601", colour: red),
            ], Source.allCases)
        func `colours stay as they are, whatever the size, unless the source says that they are others`(
            given: Given, source: Source
        ) async throws {
            Self.expect(try await Self.sent(given, from: source), near: given.colour, by: 0)
        }

        @Test(
            arguments: [
                Given(format: "I420", colorimetry: "bt709", colour: [63, 102, 240]),
                Given(format: "I420", colorimetry: "bt709", colour: [63, 102, 240], width: 640, height: 480),
                Given(format: "I420", colorimetry: "1:3:5:1", colour: [54, 99, 255]),
                Given(format: "BGRA", colorimetry: nil, colour: [0, 0, 255]),
                Given(format: "I420", colorimetry: "1:4:0:0", colour: [76, 85, 255]),
                Given(format: "Y42B", colorimetry: "1:4:0:0", colour: [76, 85, 255], width: 1_920, height: 1_080),
                Given(format: "BGRx", colorimetry: nil, colour: [0, 0, 255], width: 640, height: 480),
            ], Source.allCases)
        func `red of any kind is sent as VP8's`(given: Given, source: Source) async throws {
            Self.expect(try await Self.sent(given, from: source), near: Self.red)
        }

        @Test(arguments: ["Y42B", "GRAY8"], [(UInt8(0), UInt8(16)), (255, 235), (128, 126)])
        func `black and white of a camera that sends JPEG are those of VP8`(
            format: String, brightness: (given: UInt8, sent: UInt8)
        ) async throws {
            let picture = Given(format: format, colorimetry: "1:4:0:0", colour: [brightness.given, 128, 128])
            Self.expect(try await Self.sent(picture, from: .camera), near: [brightness.sent, 128, 128], by: 1)
        }

        @Test(arguments: Source.allCases)
        func `a source may change its format, and white stays white`(source: Source) async throws {
            let formats = [
                Given(format: "Y42B", colorimetry: "1:4:0:0", colour: [255, 128, 128], width: 640, height: 480),
                Given(format: "BGRA", colorimetry: nil, colour: [255, 255, 255], width: 320, height: 240),
                Given(format: "GRAY8", colorimetry: nil, colour: [255], width: 480, height: 360),
                Given(format: "I420", colorimetry: nil, colour: [235, 128, 128], width: 800, height: 600),
            ]
            let sent = try await Self.sent(formats, from: source)
            for given in formats { Self.expect(try #require(sent[given.height]), near: [235, 128, 128], by: 1) }
        }

        @Test(arguments: [
            Given(format: "I420", colorimetry: "1:4:0:0", colour: [76, 85, 255]),
            Given(format: "I420", colorimetry: nil, colour: red),
        ])
        func `the own picture is shown in the same colours`(given: Given) async throws {
            try MediaRuntime.start()
            let tail = try CaptureChains.tail(
                kind: .video, size: CameraQuality.standard.size, hasPreview: true, isPaced: false)
            let shown = try await Self.pass([given], through: tail, output: "preview", reading: Self.drawn)
            Self.expect(try #require(shown.values.first), near: [0, 0, 254], by: 4)
        }

        @Test(arguments: [480, 540, 720, 1_080])
        func `the peer's colours are shown as they are, whatever the size`(rows: Int) async throws {
            try MediaRuntime.start()
            for (colour, shown) in [(Self.red, [0, 0, 254]), (Self.green, [0, 255, 0])] as [([UInt8], [UInt8])] {
                let feed = VideoFeed()
                let chain = try Element.bin(
                    """
                    vp8enc deadline=1 cpu-used=-8 target-bitrate=4000000 ! rtpvp8pay ! rtpvp8depay ! \
                    vp8dec ! \(PictureDisplay.chain(isDrawn: true))
                    """)
                try PictureDisplay.connect(chain, to: feed) { feed.show($0) }
                let given = Given(format: "I420", colorimetry: nil, colour: colour, width: rows / 3 * 4, height: rows)
                let drawn = try await Self.pass([given], through: chain, reading: Self.drawn)
                Self.expect(try #require(drawn[rows]), near: shown, by: 6)
            }
        }

        @Test func `an echo has the colours of what it repeats, also in a smaller size`() async throws {
            let path = try TestClip.make(width: 1_280, height: 720)
            defer { TestClip.remove(path) }
            let call = try await Loopback { offerer, answerer in
                (offerer.camera, answerer.camera) = (.file(path), .echo)
            }
            try await call.connect()
            let (sent, echo) = (call.offerer.localVideo, call.offerer.remoteVideo)
            /// Until it comes: the first pictures of a size may be coarse.
            func waitForEcho(_ isWanted: (Int) -> Bool) async throws {
                try await eventually {
                    guard let sent = sent.latest()?.meanColour, let frame = echo.latest() else { return false }
                    let seen = frame.meanColour
                    let distances = [seen.red - sent.red, seen.green - sent.green, seen.blue - sent.blue].map(abs)
                    return isWanted(frame.height) && distances.allSatisfy { $0 <= 6 }
                }
            }
            try await waitForEcho { $0 == 720 }
            echo.setShownSize(PictureSize(width: 320, height: 180))
            try await waitForEcho { $0 <= 360 }
            await call.close()
        }
    }
}
