import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Parley

@Suite("Lock of a profile", .timeLimit(.minutes(5)))
struct ProfileLockTests {
    /// A thread that opens a file again and again, and counts how often somebody else has closed it.
    private final class Opener: Sendable {
        private let isRunning = Atomic(true)
        private let losses = Atomic(0)
        private let (ending, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

        init() {
            Thread.detachNewThread { [self] in
                while isRunning.load(ordering: .relaxed) {
                    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
                    for _ in 0..<20 where fcntl(file, F_GETFD) < 0 { losses.add(1, ordering: .relaxed) }
                    close(file)
                }
                ended.signal()
            }
        }

        func stop() -> Int {
            isRunning.store(false, ordering: .relaxed)
            ended.wait()
            return losses.load(ordering: .relaxed)
        }
    }

    @Test func `a lock that is refused closes nothing that belongs to others`() throws {
        let folder = try TemporaryFolder()
        let directory = try ProfileDirectory(path: folder.path)
        let lock = try ProfileLock(directory)
        let opener = Opener()
        for _ in 0..<20_000 {
            #expect(throws: AccountError.inUse(folder.path)) { try ProfileLock(directory) }
        }
        #expect(opener.stop() == 0)
        lock.release()
        _ = try ProfileLock(directory)
    }
}
