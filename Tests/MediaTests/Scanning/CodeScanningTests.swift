import BaseKit
import CGStreamer
import Glibc
import MediaRules
import QRCodes
import TestSupport
import Testing

@testable import Media

extension RealMedia {
    /// QR codes, read from pictures and by a camera.
    @Suite struct CodeScanningTests {
        private static let short = "simplex:/i#" + String(repeating: "aB3_", count: 24) + "?h=relay.example.org"

        /// A code in the middle of a grey picture, as somebody's screen is in a camera's.
        private func picture(_ text: String, width: Int, height: Int, module: Int, noise: Bool = false) throws
            -> GreyPicture
        {
            let code = try QRCode(text: text)
            let side = (code.side + 2 * QRCode.quietZone) * module
            let (left, top) = ((width - side) / 2, (height - side) / 2)
            var random = SeededGenerator(seed: 5)
            var pixels = [UInt8](repeating: 120, count: width * height)
            for row in 0..<height {
                for column in 0..<width {
                    if (left..<left + side).contains(column), (top..<top + side).contains(row) {
                        let isDark = code[
                            (column - left) / module - QRCode.quietZone, (row - top) / module - QRCode.quietZone]
                        pixels[row * width + column] = isDark ? 30 : 220
                    }
                    if noise { pixels[row * width + column] &+= UInt8.random(in: 0...25, using: &random) }
                }
            }
            return try #require(GreyPicture(width: width, height: height, pixels: pixels))
        }

        @Test(arguments: [1, 60, 140, 461, 1_500, QRCode.maximumBytes])
        func `what is made as a code is read back`(count: Int) async throws {
            let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_#/?=&%:")
            var random = SeededGenerator(seed: UInt64(count))
            let text = String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
            let module = 3
            let side = (try QRCode(text: text).side + 2 * QRCode.quietZone) * module
            let found = try await PictureCodes.texts(
                in: picture(text, width: side + 42, height: side + 26, module: module))
            #expect(found == [text])
        }

        @Test func `a short link in a noisy picture of a camera is read`() async throws {
            let found = try await PictureCodes.texts(
                in: picture(Self.short, width: 640, height: 480, module: 4, noise: true))
            #expect(found == [Self.short])
        }

        @Test func `a picture without a code holds none`() async throws {
            var random = SeededGenerator(seed: 9)
            for (width, height) in [(1, 1), (7, 5), (640, 480)] {
                let noise = try #require(
                    GreyPicture(width: width, height: height, pixels: random.bytes(width * height)))
                #expect(try await PictureCodes.texts(in: noise) == [])
            }
        }

        /// A film of one picture.
        private func film(_ picture: GreyPicture, in folder: TemporaryFolder) throws -> String {
            try MediaRuntime.start()
            let (path, ended) = (folder.file("code.ogg"), Shared(false))
            let pipeline = try Pipeline { message in if case .endOfStream = message { ended.value = true } }
            let chain = try Element.bin(
                """
                appsrc name=pictures format=time ! videoconvert ! video/x-raw,format=I420 ! theoraenc quality=60 ! oggmux ! \
                filesink name=file
                """)
            try chain.child("file").set("location", path)
            let input = try chain.child("pictures")
            input.setCaps(
                "video/x-raw,format=GRAY8,width=\(picture.width),height=\(picture.height),framerate=30/1")
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            for number in 0..<30 {
                let buffer = try #require(gst_buffer_new_allocate(nil, gsize(picture.pixels.count), nil))
                gst_buffer_fill(buffer, 0, picture.pixels, gsize(picture.pixels.count))
                buffer.pointee.pts = GstClockTime(number) * 33_333_333
                buffer.pointee.duration = 33_333_333
                gst_app_src_push_buffer(input.pointer(), buffer)
            }
            gst_app_src_end_of_stream(input.pointer())
            while !ended.value { usleep(2_000) }
            pipeline.close()
            return path
        }

        @Test func `a camera that sees a code tells it, a few times a second, and is closed with the scanner`()
            async throws
        {
            let folder = try TemporaryFolder()
            let path = try film(picture(Self.short, width: 640, height: 480, module: 4), in: folder)
            let scanner = CodeScanner(.file(path))
            #expect(Capture.live == 0)
            try await scanner.open()
            #expect(Capture.live == 1)
            let (start, limit) = (Instant.now, 8)
            let found = try await limited("the code", to: .seconds(60)) {
                var found = 0
                for await news in scanner.news {
                    guard news == .found(Self.short) else { break }
                    found += 1
                    if found == limit { break }
                }
                return found
            }
            #expect(found == limit)
            #expect(Instant.now - start > .seconds(1), "more than \(CodeScanner.rate) looks a second")
            #expect(scanner.preview.latest() != nil)
            await scanner.close()
            #expect(Capture.live == 0)
        }

        @Test func `without a camera that is said`() async throws {
            let scanner = CodeScanner(.none)
            try await scanner.open()
            let first = try await limited("the notice") {
                for await news in scanner.news { return news as CodeScanner.News? }
                return nil
            }
            #expect(first == .notice(.device(.missing(.camera))))
            await scanner.close()
            try await limited("the end of the news") { for await _ in scanner.news {} }
        }
    }
}
