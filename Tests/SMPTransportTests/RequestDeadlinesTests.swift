import TestSupport
import Testing

@testable import SMPTransport

/// Whose time is over.
@Suite(.timeLimit(.minutes(5))) struct RequestDeadlinesTests {
    @Test func `the next deadline is the earliest of those that wait`() {
        var deadlines = RequestDeadlines()
        deadlines.add(0..<2, at: at(30))
        deadlines.add(2..<3, at: at(10))
        deadlines.add(3..<4, at: at(20))
        #expect(deadlines.next { $0 != 2 } == at(20))
        #expect(deadlines.next { $0 == 1 } == at(30))
        #expect(deadlines.next { _ in false } == nil)
    }

    @Test func `only requests whose time is over are taken`() {
        var deadlines = RequestDeadlines()
        deadlines.add(0..<2, at: at(10))
        deadlines.add(2..<4, at: at(11))
        #expect(deadlines.take(until: at(10)) == [0, 1])
        #expect(deadlines.take(until: at(10)).isEmpty)
        #expect(deadlines.take(until: at(12)) == [2, 3])
    }

    @Test func `what is postponed is due so much later`() {
        var deadlines = RequestDeadlines()
        deadlines.add(0..<1, at: at(10))
        deadlines.add(1..<2, at: at(12))
        deadlines.postpone(by: .milliseconds(5))
        #expect(deadlines.take(until: at(14)).isEmpty)
        #expect(deadlines.next { _ in true } == at(15))
        #expect(deadlines.take(until: at(15)) == [0])
        #expect(deadlines.take(until: at(17)) == [1])
    }
}
