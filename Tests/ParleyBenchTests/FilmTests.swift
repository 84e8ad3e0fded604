import BaseKit
import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// The film of a measured call, and what compares with it.
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
        #expect(FilmScene.room(isStill: true).motions.isEmpty && FilmScene.room(isLarge: true).height == 720)
    }
}

@Suite(.timeLimit(.minutes(1))) struct PictureComparisonTests {
    private func picture(_ value: UInt8) throws -> LumaPicture {
        try #require(LumaPicture(width: 8, height: 8, bytes: Data(repeating: value, count: 64)))
    }

    @Test func `each end is told the mean of its own pictures, once`() async throws {
        let comparison = PictureComparison { $0[0, 0] == 0 ? nil : Double($0[0, 0]) / 100 }
        defer { comparison.stop() }
        var found: [Int: [Double]] = [0: [], 1: []]
        for (value, end) in [(50, 0), (0, 0), (20, 1)] { comparison.add(try picture(UInt8(value)), shownBy: end) }
        try await waitUntil("all are compared") {
            for end in [0, 1] { found[end]? += comparison.take(shownBy: end).map { [$0] } ?? [] }
            return found[0]?.isEmpty == false && found[1]?.isEmpty == false
        }
        #expect(found == [0: [0.5], 1: [0.2]])
        #expect(comparison.take(shownBy: 0) == nil)
    }

    @Test func `pictures for which there is no time are left out`() async throws {
        let (gate, compared) = (DispatchSemaphore(value: 0), Shared(0))
        let comparison = PictureComparison { picture in
            guard picture[0, 0] == 1 else { return 1 }
            gate.wait()
            compared.change { $0 += 1 }
            return 1
        }
        defer { comparison.stop() }
        let (early, late) = (try picture(1), try picture(2))
        for _ in 0..<20 { comparison.add(early, shownBy: 0) }
        for _ in 0..<20 { gate.signal() }
        try await waitUntil("what was taken is compared") {
            comparison.add(late, shownBy: 1)
            return comparison.take(shownBy: 1) != nil
        }
        // One may have been taken up before the others came.
        #expect((PictureComparison.most...PictureComparison.most + 1).contains(compared.value))
    }
}
