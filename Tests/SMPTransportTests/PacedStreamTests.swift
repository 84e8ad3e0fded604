import Synchronization
import TestSupport
import Testing

@testable import SMPTransport

/// Streams that hold back their writer.
@Suite(.timeLimit(.minutes(5))) struct PacedStreamTests {
    @Test func `the writer is to pause at the limit and may go on at half of it`() async {
        let (stream, continuation) = PacedStream<Int>.makeStream(limit: 10, cost: { $0 })
        let room = Mutex(0)
        #expect(continuation.yield(4))
        #expect(continuation.yield(3))
        #expect(!continuation.yield(3))
        #expect(stream.backlog == 10)
        continuation.whenRoom { room.withLock { $0 += 1 } }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == 4)
        #expect(room.withLock { $0 } == 0)
        #expect(await iterator.next() == 3)
        #expect(room.withLock { $0 } == 1)
        #expect(continuation.yield(1))
        #expect(await iterator.next() == 3)
        #expect(room.withLock { $0 } == 1)
        #expect(stream.backlog == 1)
    }

    @Test func `nothing is lost when the writer does not pause`() async {
        let (stream, continuation) = PacedStream<Int>.makeStream(limit: 1)
        for number in 0..<1_000 { continuation.yield(number) }
        continuation.finish()
        var numbers: [Int] = []
        for await number in stream { numbers.append(number) }
        #expect(numbers == Array(0..<1_000))
    }

    @Test func `a writer that waits goes on when the reader has caught up`() async {
        let (stream, continuation) = PacedStream<Int>.makeStream(limit: 4)
        let writer = Task {
            var most = 0
            for number in 0..<100 {
                if !continuation.yield(number) { await continuation.room() }
                most = max(most, stream.backlog)
            }
            continuation.finish()
            return most
        }
        var numbers: [Int] = []
        for await number in stream { numbers.append(number) }
        #expect(numbers == Array(0..<100))
        #expect(await writer.value <= 4)
    }

    @Test func `nobody waits for a reader that is gone`() async {
        let (stream, continuation) = PacedStream<Int>.makeStream(limit: 1)
        continuation.yield(1)
        let reader = Task {
            for await _ in stream {}
        }
        reader.cancel()
        await reader.value
        continuation.yield(2)
        await continuation.room()
        #expect(continuation.yield(3))
    }

    @Test func `the end releases who waits`() async {
        let (stream, continuation) = PacedStream<Int>.makeStream(limit: 1)
        continuation.yield(1)
        async let waiting: Void = continuation.room()
        continuation.finish()
        await waiting
        #expect(stream.backlog == 1)
    }
}
