import Dispatch
import Synchronization
import Testing

@testable import BaseKit

@Suite(.timeLimit(.minutes(5))) struct WorkerThreadsTests {
    private let threads = WorkerThreads(limit: 2)

    @Test func `calls that wait for each other all run at once`() async {
        let count = 40
        let arrived = Counter()
        let all = DispatchSemaphore(value: 0)
        await withDiscardingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    await threads.result {
                        if arrived.count() == count {
                            for _ in 0..<count { all.signal() }
                        }
                        all.wait()
                    }
                }
            }
        }
        #expect(arrived.count() == count + 1)
    }

    @Test func `threads that nobody needs end`() async throws {
        await withDiscardingTaskGroup { group in
            let gate = DispatchSemaphore(value: 0)
            for _ in 0..<20 { group.addTask { await threads.result { gate.wait() } } }
            for _ in 0..<20 { gate.signal() }
        }
        while threads.threads > 2 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `a delayed call comes after its time, and not before an earlier one`() async {
        let order = Mutex<[Int]>([])
        let begin = Instant.now
        await withCheckedContinuation { continuation in
            threads.run(after: .milliseconds(60)) {
                order.withLock { $0.append(2) }
                continuation.resume()
            }
            threads.run(after: .milliseconds(20)) { order.withLock { $0.append(1) } }
        }
        #expect(Instant.now - begin >= .milliseconds(60))
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test func `jobs run, also when as many as may run at once wait for a later one`() async {
        let opened = DispatchSemaphore(value: 0)
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    await threads.carriedOut {
                        opened.wait()
                    }
                }
            }
            group.addTask {
                await threads.carriedOut {
                    for _ in 0..<4 { opened.signal() }
                }
            }
        }
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)

    /// Counts once more, and says how often that was.
    func count() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

extension WorkerThreads {
    /// Has a body carried out as a task is.
    fileprivate func carriedOut(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            run(
                UnownedJob(
                    _swift_createJobForTestingOnly {
                        body()
                        continuation.resume()
                    }))
        }
    }
}
