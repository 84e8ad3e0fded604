import Cryptography
import Foundation
import Synchronization

/// The folder of one account: its store, the store's key, its relay's certificates, and a lock against a second program.
struct ProfileDirectory: Sendable {
    let path: String

    /// Makes the folder (mode 0700) when it is absent.
    init(path: String) throws(AccountError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .folder(path)
        }
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The store's key: 32 random bytes in a file only its owner can read, made at first use.
    func storeKey() throws(AccountError) -> SecretBytes {
        let file = file("store.key")
        if let existing = FileManager.default.contents(atPath: file) {
            guard existing.count == 32 else { throw .storeKey(file) }
            return SecretBytes([UInt8](existing))
        }
        let key = SecretBytes.random(32)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .storeKey(file) }
        defer { close(descriptor) }
        let written = key.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == 32, fsync(descriptor) == 0 else { throw .storeKey(file) }
        return key
    }
}

/// Holds an account's folder for this process until it is released.
final class ProfileLock: Sendable {
    private let descriptor: Int32
    private let isHeld = Atomic(true)

    /// - Throws: `AccountError.inUse` when another program has the folder.
    init(_ directory: ProfileDirectory) throws(AccountError) {
        let file = directory.file("lock")
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .folder(directory.path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse(directory.path)
        }
    }

    /// Lets others have the folder.
    func release() {
        guard isHeld.exchange(false, ordering: .relaxed) else { return }
        // Not only closed: a child of this process that has not replaced its image yet holds a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    deinit { release() }
}
