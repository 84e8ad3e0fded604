import BaseKit
import Glibc
import MediaRules

/// Wakes threads that wait for descriptors, for good.
final class StopFlag: Sendable {
    /// Becomes readable, and stays so, when the flag is raised.
    let descriptor: Int32
    private let other: Lock<Int32?>

    init() throws(RelayServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .local(String(cString: strerror(errno))) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        other = Lock(ends[1])
    }

    deinit {
        raise()
        close(descriptor)
    }

    func raise() {
        let end = other.withLock { end in
            defer { end = nil }
            return end
        }
        if let end { close(end) }
    }
}
