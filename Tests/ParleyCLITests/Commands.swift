import Foundation
import TestSupport

/// A pipe that a program reads its commands from.
final class Commands {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw Overdue("no pipe at \(path)") }
        // For both directions, so that neither end waits for the other.
        descriptor = open(path, O_RDWR | O_CLOEXEC)
    }

    deinit { close(descriptor) }

    func say(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Overdue("nobody reads") }
    }
}
