import Foundation
import Pictures
import Signaling
import TestSupport
import Testing

@Suite("Pictures as files and as pixels", .timeLimit(.minutes(5)))
struct PictureFileTests {
    private func colour(_ picture: DrawnPicture, _ column: Int, _ row: Int) -> [Int] {
        picture.pixels[((row * picture.width + column) * 4)...].prefix(4).map(Int.init)
    }

    private func isNear(_ one: [Int], _ other: [Int]) -> Bool { zip(one, other).allSatisfy { abs($0 - $1) < 40 } }

    @Test func `an own picture is the middle of the file, small enough for the apps`() throws {
        let file = try Painting.file("png", width: 600, height: 300) { column, _ in
            column < 150 || column >= 450 ? (0, 0, 255, 255) : column < 300 ? (255, 0, 0, 255) : (0, 255, 0, 255)
        }
        let picture = try PictureFile.picture(file)
        #expect((picture.format, picture.width, picture.height) == (.jpeg, 192, 192))
        #expect(picture.text.utf8.count <= 12_500)
        let drawn = try DrawnPicture(picture)
        #expect(isNear(colour(drawn, 8, 96), [255, 0, 0, 255]), "\(colour(drawn, 8, 96))")
        #expect(isNear(colour(drawn, 184, 96), [0, 255, 0, 255]))
    }

    @Test func `noise is made smaller until it fits, and a small picture is not made larger`() throws {
        let noise = try PictureFile.picture(try Painting.noise("png", width: 500, height: 400))
        #expect(noise.text.utf8.count <= 12_500)
        #expect(noise.width == noise.height && noise.width <= 192)
        let small = try PictureFile.picture(try Painting.file("png", width: 20, height: 40) { _, _ in (9, 9, 9, 255) })
        #expect((small.width, small.height) == (20, 20))
    }

    @Test func `what can be seen through is white`() throws {
        let file = try Painting.file("png", width: 64, height: 64) { _, _ in (255, 0, 0, 0) }
        let drawn = try DrawnPicture(try PictureFile.picture(file))
        #expect(isNear(colour(drawn, 30, 30), [255, 255, 255, 255]))
    }

    /// A JPEG with what cameras write: that it is to be turned, and where it was taken.
    private func photograph() throws -> [UInt8] {
        var file = try Painting.file("jpeg", width: 240, height: 240) { _, row in
            row < 120 ? (255, 0, 0, 255) : (0, 0, 255, 255)
        }
        // TIFF, one entry: orientation (0x0112, SHORT) 3, upside down.
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0,
        ]
        let content = Array("Exif\0\0".utf8) + tiff + Array("52.5200N 13.4050E".utf8)
        file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content, at: 2)
        return file
    }

    @Test func `a photograph is shown as it was taken, and says not where`() throws {
        let photograph = try photograph()
        #expect(String(decoding: photograph, as: UTF8.self).contains("13.4050E"))
        let picture = try PictureFile.picture(photograph)
        for word in ["Exif", "13.4050E", "ICC", "Photoshop", "http"] {
            #expect(picture.bytes.firstRange(of: Array(word.utf8)) == nil, "\(word)")
        }
        let drawn = try DrawnPicture(picture)
        #expect(isNear(colour(drawn, 96, 10), [0, 0, 255, 255]), "\(colour(drawn, 96, 10))")
        #expect(isNear(colour(drawn, 96, 180), [255, 0, 0, 255]))
    }

    @Test func `a file is read from disk, and what is none says so`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.png")
        try Data(try Painting.file("png", width: 300, height: 300) { _, _ in (1, 2, 3, 255) })
            .write(to: URL(fileURLWithPath: file))
        #expect(try PictureFile.picture(at: file).width == 192)
        #expect(throws: PictureFileError.unreadable) { try PictureFile.picture(at: folder.file("none")) }
        #expect(throws: PictureFileError.unreadable) { try PictureFile.picture(at: "/dev/zero") }
        #expect(throws: PictureFileError.unreadable) { try PictureFile.picture(at: folder.file("")) }
        #expect(throws: PictureFileError.notAPicture) { try PictureFile.picture(Array("no picture".utf8)) }
        let long = folder.file("long")
        try Data(count: PictureFile.maximumBytes + 1).write(to: URL(fileURLWithPath: long))
        #expect(throws: PictureFileError.tooLong) { try PictureFile.picture(at: long) }
    }

    @Test func `a file that says it is huge is refused before memory is taken for it`() throws {
        var file = try Painting.file("png", width: 4, height: 4) { _, _ in (1, 2, 3, 255) }
        // 60,000 by 60,000; the checksum of the header is not looked at by what has to refuse it first, or refuses it.
        for start in [16, 20] { file.replaceSubrange(start..<start + 4, with: [0, 0, 0xEA, 0x60]) }
        #expect(throws: PictureFileError.self) { try PictureFile.picture(file) }
        var jpeg = try Painting.file("jpeg", width: 16, height: 16) { _, _ in (1, 2, 3, 255) }
        let frame = try #require(jpeg.firstRange(of: [0xFF, 0xC0]))
        jpeg.replaceSubrange(frame.lowerBound + 5..<frame.lowerBound + 9, with: [0xEA, 0x60, 0xEA, 0x60])
        #expect(throws: PictureFileError.tooManyPixels) { try PictureFile.picture(jpeg) }
    }

    @Test(arguments: ["jpeg", "png"]) func `a contact's picture is drawn`(type: String) throws {
        let file = try Painting.file(type, width: 40, height: 30) { column, _ in
            column < 20 ? (255, 0, 0, 255) : (0, 0, 255, 255)
        }
        let drawn = try DrawnPicture(try ProfilePicture(decoding: file))
        #expect((drawn.width, drawn.height, drawn.pixels.count) == (40, 30, 4_800))
        #expect(isNear(colour(drawn, 5, 15), [255, 0, 0, 255]))
        #expect(isNear(colour(drawn, 34, 15), [0, 0, 255, 255]))
    }

    @Test func `a picture whose pixels are damaged is drawn in its size or not at all`() throws {
        var generator = SeededGenerator(seed: 99)
        let files = [
            try Painting.noise("jpeg", width: 48, height: 48), try Painting.noise("png", width: 24, height: 24),
            SamplePictures.jpeg, SamplePictures.png,
        ]
        var (drawn, refused) = (0, 0)
        for round in 0..<4_000 {
            var file = files[round % files.count]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<file.count, using: &generator)
                file[place] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let picture = try? ProfilePicture(decoding: file) else { continue }
            do {
                let pixels = try DrawnPicture(picture)
                #expect((pixels.width, pixels.height) == (picture.width, picture.height))
                #expect(pixels.pixels.count == picture.width * picture.height * 4)
                drawn += 1
            } catch {
                refused += 1
            }
        }
        #expect(drawn > 100 && refused > 100, "\(drawn) \(refused)")
    }
}
