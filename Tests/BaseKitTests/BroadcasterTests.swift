import BaseKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct BroadcasterTests {
    private func all<Value>(_ stream: AsyncStream<Value>) async -> [Value] {
        var heard: [Value] = []
        for await value in stream { heard.append(value) }
        return heard
    }

    @Test func `every listener hears every value`() async {
        let broadcaster = Broadcaster<Int>()
        let streams = [broadcaster.stream(), broadcaster.stream()]
        for value in 0..<100 { broadcaster.send(value) }
        broadcaster.finish()
        for stream in streams { #expect(await all(stream) == Array(0..<100)) }
    }

    @Test func `who comes late hears what it begins with, and what follows`() async {
        let broadcaster = Broadcaster<Int>()
        broadcaster.send(1)
        let stream = broadcaster.stream(beginning: [7, 8])
        broadcaster.send(2)
        broadcaster.finish()
        #expect(await all(stream) == [7, 8, 2])
    }

    @Test func `who comes after the end hears what it begins with`() async {
        let broadcaster = Broadcaster<Int>()
        broadcaster.finish()
        broadcaster.send(1)
        #expect(await all(broadcaster.stream(beginning: [7])) == [7])
    }

    @Test func `a listener hears only what it is for`() async {
        let broadcaster = Broadcaster<Int>()
        let stream = broadcaster.stream(where: { $0.isMultiple(of: 2) })
        for value in 0..<6 { broadcaster.send(value) }
        broadcaster.finish()
        #expect(await all(stream) == [0, 2, 4])
    }

    @Test func `it is heard while somebody listens`() {
        let broadcaster = Broadcaster<Int>()
        #expect(!broadcaster.isHeard)
        let stream = broadcaster.stream()
        #expect(broadcaster.isHeard)
        broadcaster.finish()
        #expect(!broadcaster.isHeard)
        withExtendedLifetime(stream) {}
    }

    @Test func `who reads slowly gets the newest when that is wanted`() async {
        let broadcaster = Broadcaster<Int>()
        let stream = broadcaster.stream(buffering: .bufferingNewest(1))
        for value in 0..<5 { broadcaster.send(value) }
        broadcaster.finish()
        #expect(await all(stream) == [4])
    }

    @Test func `leaving is told once, an end by the other side not at all`() async throws {
        let broadcaster = Broadcaster<Int>()
        let left = Mutex<[String]>([])
        func stream(_ name: String) -> AsyncStream<Int> {
            broadcaster.stream(onLeave: { left.withLock { $0.append(name) } })
        }
        let reading = Task { [stream = stream("reader")] in for await _ in stream {} }
        let end = stream("end")
        reading.cancel()
        await reading.value
        try await waitUntil("the reader has left") { left.withLock { !$0.isEmpty } }
        broadcaster.send(1)
        broadcaster.finish()
        #expect(await all(end) == [1])
        #expect(left.withLock { $0 } == ["reader"])
    }

    @Test func `who waits looks at each change, and goes on once the condition holds`() async throws {
        let (changes, number, looks) = (Broadcaster<Void>(), Shared(0), Shared(0))
        let waiting = Task {
            await changes.wait {
                looks.change { $0 += 1 }
                return number.value == 2
            }
        }
        for value in 1...2 {
            try await waitUntil("it has looked") { looks.value == value }
            number.value = value
            changes.send(())
        }
        await waiting.value
        #expect(looks.value == 3)
        // What holds already is not waited for.
        await changes.wait { true }
    }

    @Test func `who is cancelled waits no longer`() async {
        let changes = Broadcaster<Void>()
        let waiting = Task { await changes.wait { false } }
        waiting.cancel()
        await waiting.value
    }

    /// A sender that holds the lock waits for the listener's task, which is locked as long as it is being cancelled.
    @Test func `listeners that are cancelled while values come hold up nobody`() async {
        let broadcaster = Broadcaster<Int>()
        for _ in 0..<3_000 {
            let reading = Task { [stream = broadcaster.stream()] in for await _ in stream {} }
            let sending = Task.detached { for value in 0..<40 { broadcaster.send(value) } }
            await Task.yield()
            reading.cancel()
            await reading.value
            await sending.value
        }
    }

    @Test func `a listener that comes between a value and the next misses none and hears none twice`() async {
        // As those do who keep what is new listeners' first value.
        let broadcaster = Broadcaster<Int>()
        let current = Mutex(0)
        let sending = Task.detached {
            for value in 1...2_000 {
                current.withLock { current in
                    current = value
                    broadcaster.send(value)
                }
            }
            broadcaster.finish()
        }
        var streams: [AsyncStream<Int>] = []
        for _ in 0..<50 {
            streams.append(current.withLock { broadcaster.stream(beginning: [$0]) })
            await Task.yield()
        }
        await sending.value
        for stream in streams {
            let heard = await all(stream)
            #expect(heard.last == 2_000)
            #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 == $0 + 1 })
        }
    }
}
