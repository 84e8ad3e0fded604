import Foundation
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(1))) struct GroupCommandTests {
    @Test(arguments: [
        ([], [2, 3, 4]), (["--people", "2"], [2]), (["--janus"], [3, 4, 6, 8]),
        (["--janus", "--people", "3"], [3]), (["--janus", "--people", "5"], [3, 4, 5]),
        (["--janus", "--people", "6"], [3, 4, 6]),
    ]) func `how many people there are follows from the options`(_ words: [String], _ sizes: [Int]) throws {
        #expect(try GroupCommand.parse(words).sizes == sizes)
    }

    @Test(arguments: [
        ["--people", "1"], ["--people", "5"], ["--janus", "--people", "2"], ["--janus", "--people", "9"],
        ["--viewers", "1"], ["--janus", "--viewers", "0"], ["--janus", "--viewers", "9"], ["--height", "200"],
        ["--hand-over"], ["--settle", "0"], ["--seconds", "301"],
    ]) func `refuses calls out of bounds`(_ words: [String]) {
        #expect(throws: (any Error).self) { try GroupCommand.parse(words) }
    }

    @Test func `a room is told in a line, whole`() throws {
        let room = MeasuredRoom(address: "ws://127.0.0.1:1/", authorities: "/folder/c", roomKey: "key")
        let line = GroupOrder.enter(room).line
        #expect(line.last == UInt8(ascii: "\n"))
        guard case .enter(let told) = try #require(GroupOrder(line: line)) else {
            Issue.record("another order")
            return
        }
        #expect(told == room)
        #expect(try told.plan == room.plan)
        #expect(told.feeds.count == 32)
    }

    @Test func `no two rooms are the same`() {
        let rooms = (0..<2).map { _ in MeasuredRoom(address: "ws://127.0.0.1:1/", roomKey: "key") }
        for part in [\MeasuredRoom.pin, \.secret] { #expect(rooms[0][keyPath: part] != rooms[1][keyPath: part]) }
        #expect(rooms[0].number != rooms[1].number && rooms[0].feeds != rooms[1].feeds)
    }

    @Test func `a room with a number that there can't be is refused`() {
        var room = MeasuredRoom(address: "ws://127.0.0.1:1/", roomKey: "key")
        room.number = -1
        #expect(throws: (any Error).self) { try room.plan }
    }
}
