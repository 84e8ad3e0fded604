import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct DecodeLoadTests {
    private static let large = PictureSize(width: 1_280, height: 720), small = PictureSize(width: 960, height: 540)

    /// Pictures of one size for so many seconds, thirty a second, each decoded in so many milliseconds.
    private func run(
        _ load: inout DecodeLoad, _ size: PictureSize, _ milliseconds: Int, from: Int, seconds: Int
    ) {
        for index in 0..<seconds * 30 {
            load.decoded(in: .milliseconds(milliseconds), size: size, now: at(from * 1_000 + index * 1_000 / 30))
        }
    }

    @Test func `decoding is measured as a part of the time between two pictures`() {
        var load = DecodeLoad()
        #expect(load.part == 0)
        run(&load, Self.large, 10, from: 0, seconds: 5)
        #expect(abs(load.part - 0.3) < 0.01)
        #expect(abs(load.mean - 0.01) < 0.000_1)
        #expect(load.limit == nil)
        // What was decoded of late says nothing once no more pictures come.
        #expect(load.part(now: at(5_900)) == load.part && load.part(now: at(6_000)) == 0)
    }

    @Test func `who decodes too slowly for three seconds asks for the next smaller size`() {
        var load = DecodeLoad()
        run(&load, Self.large, 30, from: 0, seconds: 3)
        #expect(load.limit == nil)
        run(&load, Self.large, 30, from: 3, seconds: 1)
        #expect(load.limit == PictureSize(width: 960, height: 540))
        run(&load, Self.small, 30, from: 4, seconds: 4)
        #expect(load.limit.map { $0.pixels < Self.small.pixels } == true)
    }

    @Test func `who has time to spare for fifteen seconds asks for larger ones, later where that was too much`() {
        var load = DecodeLoad()
        run(&load, Self.large, 30, from: 0, seconds: 4)
        run(&load, Self.small, 5, from: 4, seconds: 15)
        #expect(load.limit == PictureSize(width: 960, height: 540))
        run(&load, Self.small, 5, from: 19, seconds: 1)
        #expect(load.limit == PictureSize(width: 1_280, height: 720))
        run(&load, Self.large, 30, from: 20, seconds: 4)
        #expect(load.limit == PictureSize(width: 960, height: 540))
        run(&load, Self.small, 5, from: 24, seconds: 20)
        #expect(load.limit == PictureSize(width: 960, height: 540))
        run(&load, Self.small, 5, from: 44, seconds: 12)
        #expect(load.limit == PictureSize(width: 1_280, height: 720))
    }

    @Test func `larger ones that would take too long are not asked for`() {
        var load = DecodeLoad()
        run(&load, Self.large, 30, from: 0, seconds: 4)
        run(&load, Self.small, 12, from: 4, seconds: 60)
        #expect(load.limit == PictureSize(width: 960, height: 540))
    }

    @Test func `a pause between pictures is no time to spare, and another size begins anew`() {
        var load = DecodeLoad()
        run(&load, Self.large, 30, from: 0, seconds: 2)
        run(&load, Self.large, 30, from: 60, seconds: 2)
        #expect(load.limit == nil)
        #expect(load.part > 0.8)
        run(&load, Self.small, 3, from: 62, seconds: 1)
        #expect(load.part < 0.2)
    }
}
