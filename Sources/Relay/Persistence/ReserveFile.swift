import BaseKit
import Foundation

/// Room that is kept on the disk: given back when the disk is full, so that what is acknowledged and deleted can be taken out
/// of the database, which needs some room for a while.
final class ReserveFile: Sendable {
    static let fileName = "relay.reserve"

    private let path: String
    private let size: Int
    private let isHeld: Lock<Bool>

    /// Takes the room if there is any.
    ///
    /// - Parameter size: bytes; 0 for none.
    init(directory: String, size: Int) {
        path = directory + "/" + Self.fileName
        self.size = size
        isHeld = Lock(false)
        claim()
    }

    /// Whether the room is there.
    var isThere: Bool { size == 0 || isHeld.withLock { $0 } }

    /// Takes the room again if there is any; twice as much has to be free, so that it is not given and taken in turns.
    ///
    /// - Returns: whether it is there.
    @discardableResult
    func claim() -> Bool {
        guard size > 0 else { return true }
        return isHeld.withLock { isHeld in
            if !isHeld { isHeld = allocate() }
            return isHeld
        }
    }

    /// Gives the room to the file system.
    ///
    /// - Returns: whether there was any.
    func release() -> Bool {
        isHeld.withLock { isHeld in
            defer { isHeld = false }
            guard isHeld else { return false }
            return unlink(path) == 0
        }
    }

    private func allocate() -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var state = stat()
        if fstat(descriptor, &state) == 0, Int(state.st_blocks) * 512 >= size { return true }
        // The blocks themselves, not a hole (posix_fallocate(3)).
        guard hasRoom(descriptor), posix_fallocate(descriptor, 0, off_t(size)) == 0 else {
            unlink(path)
            return false
        }
        return true
    }

    private func hasRoom(_ descriptor: Int32) -> Bool {
        var system = statvfs()
        guard fstatvfs(descriptor, &system) == 0 else { return false }
        return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= UInt64(size) * 2
    }
}
