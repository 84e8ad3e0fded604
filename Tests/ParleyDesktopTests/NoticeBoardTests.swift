import BaseKit
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct NoticeBoardTests {
    private let start = Instant.now

    @Test func `a sentence is shown while it is news`() {
        var board = NoticeBoard()
        board.add(["One."], at: start)
        board.add(["One.", "Two."], at: start + .seconds(15))
        #expect(board.shown(at: start + .seconds(15)) == ["One.", "Two."])
        #expect(board.shown(at: start + .seconds(20)) == ["Two."])
        #expect(board.shown(at: start + .seconds(35)).isEmpty)
    }

    @Test func `a sentence that comes again is news again, and stands once`() {
        var board = NoticeBoard()
        board.add(["One.", "Two."], at: start)
        board.add(["One.", "Two.", "One."], at: start + .seconds(10))
        #expect(board.shown(at: start + .seconds(10)) == ["Two.", "One."])
        #expect(board.shown(at: start + .seconds(25)) == ["One."])
    }

    @Test func `of many the newest are shown`() {
        var board = NoticeBoard()
        board.add(["One.", "Two.", "Three.", "Four."], at: start)
        #expect(board.shown(at: start) == ["Two.", "Three.", "Four."])
    }
}
