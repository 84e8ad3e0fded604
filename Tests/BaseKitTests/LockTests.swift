import Glibc
import Synchronization
import Testing

@testable import BaseKit

@Suite(.timeLimit(.minutes(5))) struct LockTests {
    private struct Refused: Error {}

    /// What two threads share.
    private final class Ground: Sendable {
        let turns = Lock(0)
        /// The other thread, while it is at the lock.
        let waiting = Atomic(0)
        let isOver = Atomic(false)

        /// Takes it again and again.
        func takeTurns() {
            let own = Self.ownNumber
            while !isOver.load(ordering: .acquiring) {
                waiting.store(own, ordering: .releasing)
                turns.withLock { $0 += 1 }
                waiting.store(0, ordering: .releasing)
                usleep(1_000)
            }
        }

        /// Whether who has it gets it again before the other one that waits for it, in one of so many rounds.
        func comesFirst(in rounds: Int) -> Bool {
            defer { isOver.store(true, ordering: .releasing) }
            return (0..<rounds).contains { _ in
                let before = turns.withLock { turns in
                    while !isOtherAsleep { usleep(500) }
                    return turns
                }
                return turns.withLock { $0 == before }
            }
        }

        /// The system's number of this thread.
        private static var ownNumber: Int {
            var path = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/thread-self", &path, path.count)
            let text = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return text.split(separator: "/").last.flatMap { Int($0) } ?? 0
        }

        /// Whether the other thread is at the lock and sleeps there.
        private var isOtherAsleep: Bool {
            let thread = waiting.load(ordering: .acquiring)
            guard thread != 0, let file = fopen("/proc/self/task/\(thread)/stat", "r") else { return false }
            defer { fclose(file) }
            var text = [CChar](repeating: 0, count: 64)
            let count = fread(&text, 1, text.count - 1, file)
            let state = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // It may have left the lock before it fell asleep.
            return state.contains(") S ") && waiting.load(ordering: .acquiring) == thread
        }
    }

    @Test func `what many threads add is all there`() async {
        let sum = Shared(0)
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { sum.change { $0 += 1 } } }
            }
        }
        #expect(sum.value == 80_000)
    }

    @Test func `an error comes out as it is, and the lock is free again`() {
        let lock = Lock(1)
        #expect(throws: Refused.self) {
            try lock.withLock { (value) throws(Refused) in
                value = 2
                throw Refused()
            }
        }
        #expect(lock.withLock { $0 } == 2)
    }

    @Test func `what it holds goes with it`() {
        weak var held: Ground?
        do {
            let lock = Lock<Ground?>(Ground())
            held = lock.withLock { $0 }
            #expect(held != nil)
        }
        #expect(held == nil)
    }

    @Test func `who gives it back may take it again before who waits for it has woken`() async {
        let (threads, ground) = (WorkerThreads(limit: 2), Ground())
        async let turns: Void = threads.result { ground.takeTurns() }
        // Where it is handed on, never. Where it is not, nearly always, but for who wakes at once on a busy machine.
        #expect(await threads.result { ground.comesFirst(in: 100) })
        await turns
    }
}
