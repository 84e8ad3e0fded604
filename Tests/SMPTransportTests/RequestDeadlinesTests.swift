import NIOCore
import Testing

@testable import SMPTransport

/// Whose time is over.
@Suite(.timeLimit(.minutes(5))) struct RequestDeadlinesTests {
    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test func `the next deadline is the earliest of those that wait`() {
        var deadlines = RequestDeadlines()
        deadlines.add(0..<2, at: time(30))
        deadlines.add(2..<3, at: time(10))
        deadlines.add(3..<4, at: time(20))
        #expect(deadlines.next { $0 != 2 } == time(20))
        #expect(deadlines.next { $0 == 1 } == time(30))
        #expect(deadlines.next { _ in false } == nil)
    }

    @Test func `only requests whose time is over are taken`() {
        var deadlines = RequestDeadlines()
        deadlines.add(0..<2, at: time(10))
        deadlines.add(2..<4, at: time(11))
        #expect(deadlines.take(until: time(10)) == [0, 1])
        #expect(deadlines.take(until: time(10)).isEmpty)
        #expect(deadlines.take(until: time(12)) == [2, 3])
    }

    @Test func `what is postponed is due so much later`() {
        var deadlines = RequestDeadlines()
        deadlines.add(0..<1, at: time(10))
        deadlines.add(1..<2, at: time(12))
        deadlines.postpone(by: .seconds(5))
        #expect(deadlines.take(until: time(14)).isEmpty)
        #expect(deadlines.next { _ in true } == time(15))
        #expect(deadlines.take(until: time(15)) == [0])
        #expect(deadlines.take(until: time(17)) == [1])
    }
}
