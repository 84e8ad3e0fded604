import Signaling
import TestSupport
import Testing

@Suite("Pictures of profiles", .timeLimit(.minutes(5)))
struct ProfilePictureTests {
    /// A segment of a JPEG file: marker, length, content.
    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count + 2
        return [0xFF, marker, UInt8(count >> 8), UInt8(count & 255)] + content
    }

    /// A frame header of one component.
    private func frame(_ width: Int, _ height: Int, marker: UInt8 = 0xC0, precision: UInt8 = 8) -> [UInt8] {
        segment(
            marker,
            [precision, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 1, 1, 0x11, 0])
    }

    private var scan: [UInt8] { segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56] }

    private func jpeg(_ parts: [UInt8]...) -> [UInt8] { [0xFF, 0xD8] + parts.flatMap(\.self) + [0xFF, 0xD9] }

    private func error(_ bytes: [UInt8]) -> PictureError? {
        do throws(PictureError) {
            _ = try ProfilePicture(decoding: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `real files are taken with their size`() throws {
        let jpeg = try ProfilePicture(decoding: SamplePictures.jpeg)
        #expect((jpeg.format, jpeg.width, jpeg.height) == (.jpeg, 16, 16))
        #expect(jpeg.bytes == SamplePictures.jpeg)
        let png = try ProfilePicture(decoding: SamplePictures.png)
        #expect((png.format, png.width, png.height) == (.png, 2, 2))
    }

    @Test func `what a program writes into a profile is read, and written in the form that the apps use`() throws {
        let picture = try ProfilePicture(decoding: SamplePictures.jpeg)
        #expect(picture.text.hasPrefix("data:image/jpg;base64,/9j/"))
        #expect(try ProfilePicture(parsing: picture.text) == picture)
        let other = picture.text.replacing("image/jpg", with: "image/jpeg")
        #expect(try ProfilePicture(parsing: other) == picture)
        let png = try ProfilePicture(decoding: SamplePictures.png)
        #expect(png.text.hasPrefix("data:image/png;base64,iVBORw0KGgo"))
        #expect(try ProfilePicture(parsing: png.text.replacing("image/png", with: "image/jpg")) == png)
    }

    @Test(arguments: [
        "", "hello", "data:image/gif;base64,R0lGODlh", "data:image/svg+xml;base64,PHN2Zz4=",
        "https://example.org/a.jpg",
        "data:image/jpg,abc", "data:image/jpg;base64,", "data:image/jpg;base64,_9j_",
        "data:image/jpg;base64,/9j/4AAQ SkZ",
        "data:text/html;base64,PGI+", "DATA:image/jpg;base64,/9j/",
    ])
    func `a text that is no picture is refused`(text: String) {
        #expect(throws: PictureError.self) { try ProfilePicture(parsing: text) }
    }

    @Test func `notes, places and colour profiles are left out`() throws {
        let secret = Array("Exif\0\0 52.5 N 13.4 E".utf8)
        let file = jpeg(
            segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]), segment(0xE1, secret),
            segment(0xE2, Array("ICC_PROFILE\0".utf8)), segment(0xFE, Array("by me".utf8)),
            segment(0xE0, Array("JFXX\0".utf8)), frame(8, 8), scan)
        let picture = try ProfilePicture(decoding: file + Array("behind".utf8))
        #expect(
            picture.bytes
                == jpeg(segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]), frame(8, 8), scan))
        let png = try ProfilePicture(decoding: SamplePictures.png)
        #expect(!String(decoding: png.bytes, as: UTF8.self).contains("Author"))
        #expect(png.bytes.count == SamplePictures.png.count - 21)
    }

    @Test func `a picture may have 512 pixels a side and no more, and none is no size`() {
        #expect(error(jpeg(frame(512, 512), scan)) == nil)
        #expect(error(jpeg(frame(513, 8), scan)) == .size(513, 8))
        #expect(error(jpeg(frame(8, 65_535), scan)) == .size(8, 65_535))
        #expect(error(jpeg(frame(0, 8), scan)) == .size(0, 8))
        #expect(error(jpeg(frame(8, 0), scan)) == .size(8, 0))
        var png = SamplePictures.png
        png[16] = 0x7F
        #expect(error(png) == .size(0x7F00_0002, 2))
    }

    @Test func `kinds of JPEG that hardly anybody writes are refused`() {
        for marker: UInt8 in [0xC3, 0xC5, 0xC9, 0xCA, 0xCC, 0xDC, 0xDE, 0x01] {
            #expect(error(jpeg(frame(8, 8, marker: marker), scan)) == .unsupported, "\(marker)")
        }
        #expect(error(jpeg(frame(8, 8, precision: 12), scan)) == .unsupported)
        let scans = [[UInt8]](repeating: scan, count: 65).flatMap(\.self)
        #expect(error(jpeg(frame(8, 8, marker: 0xC2), scans)) == .unsupported)
    }

    @Test func `what does not add up is refused`() {
        #expect(error([]) == .unknownFormat)
        #expect(error(Array("GIF89a".utf8)) == .unknownFormat)
        #expect(error([0xFF, 0xD8, 0xFF]) == .malformed)
        #expect(error(jpeg(scan)) == .malformed)
        #expect(error(jpeg(frame(8, 8))) == .malformed)
        #expect(error(jpeg(frame(8, 8), frame(8, 8), scan)) == .malformed)
        #expect(error(Array(jpeg(frame(8, 8), scan).dropLast(2))) == .malformed)
        #expect(error([0xFF, 0xD8, 0xFF, 0xDB, 0xFF, 0xFF, 0]) == .malformed)
        #expect(error(SamplePictures.png.dropLast(12)) == .malformed)
        #expect(error([UInt8](repeating: 0xFF, count: 65_537)) == .tooLong)
    }

    @Test func `whatever happens to a file on its way, it is refused or is a picture that stays as it is`() throws {
        var generator = SeededGenerator(seed: 1_313)
        var taken = 0
        for round in 0..<20_000 {
            var file = round.isMultiple(of: 2) ? SamplePictures.jpeg : SamplePictures.png
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<file.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: file[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: file.removeSubrange(place..<min(file.count, place + Int.random(in: 1...9, using: &generator)))
                case 2: file.insert(contentsOf: generator.bytes(Int.random(in: 1...9, using: &generator)), at: place)
                default: file[place] = 0xFF
                }
                guard !file.isEmpty else { break }
            }
            guard let picture = try? ProfilePicture(decoding: file) else { continue }
            taken += 1
            #expect((1...512).contains(picture.width) && (1...512).contains(picture.height))
            #expect(picture.bytes.count <= file.count)
            #expect(try ProfilePicture(decoding: picture.bytes) == picture)
            #expect(try ProfilePicture(parsing: picture.text) == picture)
        }
        #expect(taken > 1_000)
    }
}

extension ProfilePictureTests {
    private func error(_ bytes: ArraySlice<UInt8>) -> PictureError? { error(Array(bytes)) }
}
