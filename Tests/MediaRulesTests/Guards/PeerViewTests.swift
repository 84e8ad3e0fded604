import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PeerViewTests {
    /// An empty report, as every compound begins (RFC 3550 §6.1).
    private static let report: [UInt8] = [0x80, 201, 0, 1, 1, 2, 3, 4]

    private func read(_ bytes: [UInt8]) -> RTCPCompound? { bytes.withUnsafeBytes { RTCPCompound($0) } }

    private func appended(_ width: Int, _ height: Int, to compound: [UInt8] = Self.report) -> [UInt8] {
        compound.withUnsafeBytes { PeerView(PictureSize(width: width, height: height)).appended(to: $0) }
    }

    @Test func `a size behind a report is read by the other side, as said by the report's source`() {
        let compound = read(appended(1_280, 720))
        #expect(compound?.views.map(\.size) == [PictureSize(width: 1_280, height: 720)])
        #expect(compound?.sources == [0x0102_0304, 0x0102_0304])
    }

    @Test func `the bytes are those of the documentation`() {
        #expect(
            appended(320, 180).dropFirst(8)
                == [0x81, 204, 0, 3, 1, 2, 3, 4, 0x50, 0x52, 0x4C, 0x56, 1, 64, 0, 180])
    }

    @Test func `the screen's size is one of its own, beside the camera's`() {
        let (large, small) = (PictureSize(width: 1_920, height: 1_080), PictureSize(width: 320, height: 180))
        let screen = Self.report.withUnsafeBytes { PeerView(large, of: .screen).appended(to: $0) }
        #expect(
            screen.dropFirst(8)
                == [0x82, 204, 0, 3, 1, 2, 3, 4, 0x50, 0x52, 0x4C, 0x56, 0x07, 0x80, 0x04, 0x38])
        let both = screen.withUnsafeBytes { PeerView(small).appended(to: $0) }
        #expect(read(both)?.views == [PeerView(large, of: .screen), PeerView(small, of: .camera)])
        var news = PeerViewNews(of: .screen)
        news.shows(large)
        #expect(news.next(now: at(0)) == PeerView(large, of: .screen))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `every size goes there and back, and what is larger is cut`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let (width, height) = (
                Int.random(in: 1...70_000, using: &generator), Int.random(in: 1...70_000, using: &generator)
            )
            #expect(
                read(appended(width, height))?.views
                    == [PeerView(PictureSize(width: min(width, 65_535), height: min(height, 65_535)))])
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `packets of other programs, and broken ones, say nothing of a size`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let whole = appended(640, 480)
        for place in 8..<20 {
            var other = whole
            other[place] ^= UInt8.random(in: 1...255, using: &generator)
            // Its source says nothing of what it is.
            let views = read(other)?.views ?? []
            if !(12..<16).contains(place) { #expect(views.allSatisfy { $0.subject != .camera }) }
        }
        #expect(read(Array(whole.dropLast(4)))?.views ?? [] == [])
        #expect(appended(0, 0).suffix(4) == [0, 1, 0, 1])
        #expect(appended(1, 1, to: [0x80, 201]) == [0x80, 201])
    }

    @Test func `a size of nothing is none`() {
        var bytes = appended(640, 480)
        bytes.replaceSubrange(20..<24, with: [0, 0, 1, 0])
        #expect(read(bytes)?.views == [])
    }

    @Test func `a size is told at once, again after a while, and changes not too often`() {
        var news = PeerViewNews()
        let (large, small) = (PictureSize(width: 1_280, height: 720), PictureSize(width: 320, height: 180))
        #expect(news.next(now: at(0)) == nil)
        news.shows(large)
        #expect(news.next(now: at(10))?.size == large)
        #expect(news.next(now: at(4_000)) == nil)
        #expect(news.next(now: at(5_010))?.size == large)
        news.shows(small)
        #expect(news.next(now: at(5_400)) == nil)
        #expect(news.next(now: at(5_510))?.size == small)
        news.shows(nil)
        #expect(news.next(now: at(60_000)) == nil)
    }

    @Test func `a description announces what is told before its first media line`() {
        let text = "v=0\r\ns=-\r\nm=audio 9 X 1\r\na=x\r\nm=video 9 X 1\r\n"
        #expect(
            ViewAnnouncement.added(to: text)
                == "v=0\r\ns=-\r\na=x-parley-view:1\r\na=x-parley-state:1\r\nm=audio 9 X 1\r\na=x\r\nm=video 9 X 1\r\n")
        #expect(ViewAnnouncement.added(to: "v=0\r\n") == "v=0\r\n")
    }
}
