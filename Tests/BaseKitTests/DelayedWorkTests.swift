import TestSupport
import Testing

@testable import BaseKit

@Suite(.timeLimit(.minutes(5))) struct DelayedWorkTests {
    private func moment(_ continuous: Int, _ suspending: Int? = nil) -> DelayedWork<String>.Moment {
        DelayedWork.Moment(continuous: .seconds(continuous), suspending: .seconds(suspending ?? continuous))
    }

    private func all(_ work: inout DelayedWork<String>, at now: DelayedWork<String>.Moment) -> [String] {
        var items: [String] = []
        while let item = work.takeDue(at: now) { items.append(item) }
        return items
    }

    @Test func `nothing is given out before it is due`() {
        var work = DelayedWork<String>()
        work.add("a", due: .seconds(5), by: .continuous)
        #expect(all(&work, at: moment(4)) == [])
        #expect(all(&work, at: moment(5)) == ["a"])
        #expect(all(&work, at: moment(6)) == [])
    }

    @Test func `what is due first comes first, and of one moment what was added first`() {
        var work = DelayedWork<String>()
        for (item, due) in [("c", 3), ("a", 1), ("b", 2), ("d", 3)] {
            work.add(item, due: .seconds(due), by: .continuous)
        }
        #expect(all(&work, at: moment(3)) == ["a", "b", "c", "d"])
    }

    @Test func `each clock has its own moments`() {
        var work = DelayedWork<String>()
        work.add("awake", due: .seconds(5), by: .suspending)
        work.add("always", due: .seconds(5), by: .continuous)
        // The machine slept for ten seconds.
        #expect(all(&work, at: moment(12, 2)) == ["always"])
        #expect(all(&work, at: moment(15, 5)) == ["awake"])
    }

    @Test func `the wait is that for the next of both clocks`() {
        var work = DelayedWork<String>()
        #expect(work.wait(at: moment(0)) == nil)
        work.add("late", due: .seconds(9), by: .continuous)
        work.add("soon", due: .seconds(4), by: .suspending)
        #expect(work.wait(at: moment(10, 1)) == .zero)
        #expect(work.wait(at: moment(2, 1)) == .seconds(3))
    }

    @Test(arguments: 0..<50)
    func `everything comes, in the order of its clock`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var work = DelayedWork<String>()
        var expected: [(due: Int, number: Int)] = []
        for number in 0..<200 {
            let due = Int.random(in: 0..<50, using: &random)
            work.add("\(number)", due: .seconds(due), by: .suspending)
            expected.append((due, number))
        }
        let order = expected.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map { "\($0.number)" }
        #expect(all(&work, at: moment(50)) == order)
    }
}
