import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// The film of a measured call.
@Suite(.timeLimit(.minutes(5))) struct FilmTests {
    /// A small one, quickly made.
    private static let scene = FilmScene(
        width: 320, height: 180,
        motions: [FilmScene.Motion(pattern: "snow", x: 40, y: 40, width: 64, height: 64)])

    @Test func `each picture of a film has its number and is most like itself`() throws {
        let folder = try TemporaryFolder()
        let film = try CallFilm(in: folder.path, scene: Self.scene)
        for number in [0, 77, CallFilm.pictures - 1] {
            let picture = try film.picture(number)
            #expect(TimeCode.read(picture) == number && picture.width == 320 && picture.height == 180)
            #expect(try film.similarity(of: picture).map { $0 > 0.999 } == true)
        }
        var other = try film.picture(3)
        TimeCode.draw(4, in: &other)
        #expect(try film.similarity(of: other).map { $0 < 0.999 } == true)
        other.fill(x: 0..<320, y: 0..<16, with: 128)
        #expect(try film.similarity(of: other) == nil)
        TimeCode.draw(CallFilm.pictures, in: &other)
        #expect(try film.similarity(of: other) == nil)
    }

    @Test func `a film in which nothing moves has the same picture again but for its number`() throws {
        let folder = try TemporaryFolder()
        var scene = Self.scene
        scene.motions = []
        let film = try CallFilm(in: folder.path, scene: scene)
        // Below the number, and above the noise that GStreamer's bars have at the lower right.
        let part = 320 * 8..<320 * 100
        let (first, last) = (try film.picture(0), try film.picture(CallFilm.pictures - 1))
        #expect(first.bytes[part] == last.bytes[part])
    }
}
