import Foundation
import Synchronization

/// The folder of one account: its store, what is known of the store's key, its relay's certificates, and a lock against a second program.
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

    /// The last part of the path.
    var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// Whether there is a store already.
    var hasStore: Bool { FileManager.default.fileExists(atPath: file(Self.store)) }

    private static let store = "agent.sqlite"
    /// There from before the first other file is made until the store has been opened.
    private static let beginning = "beginning"
    /// What a profile has beside its store.
    private static let others = [StoredSettings.fileName, StoreKeyRecord.fileName, KeyFile.name]

    /// To be called before anything is made in the folder: a new profile may have no store, another one must.
    /// - Throws: `AccountError.store` when the store of a profile is missing or empty; `.folder`.
    func begin() throws(AccountError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(Self.store))
        if let size = attributes?[.size] as? NSNumber, size.intValue > 0 { return }
        let isNew =
            FileManager.default.fileExists(atPath: file(Self.beginning))
            || !Self.others.contains { FileManager.default.fileExists(atPath: file($0)) }
        guard isNew else {
            throw .store(.missing(Self.store))
        }
        do {
            try DurableFile.write([], to: file(Self.beginning))
        } catch {
            throw .folder(path)
        }
    }

    /// Whether a folder has a profile, perhaps one that was carried elsewhere. Makes nothing.
    static func hasProfile(_ path: String) -> Bool {
        !FileManager.default.fileExists(atPath: path + "/" + beginning)
            && ([store, MovedMark.fileName] + others).contains {
                FileManager.default.fileExists(atPath: path + "/" + $0)
            }
    }

    /// The store is there.
    func hasBegun() {
        try? FileManager.default.removeItem(atPath: file(Self.beginning))
    }
}

/// Holds an account's folder for this process until it is released.
final class ProfileLock: Sendable {
    static let fileName = "lock"

    private let descriptor: Int32
    private let isHeld = Atomic(true)

    /// - Throws: `AccountError.inUse` when another program has the folder.
    init(_ directory: ProfileDirectory) throws(AccountError) {
        let made = open(directory.file(Self.fileName), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw .folder(directory.path) }
        guard flock(made, LOCK_EX | LOCK_NB) == 0 else {
            close(made)
            throw .inUse(directory.path)
        }
        // Last: what is complete when it throws is also deinitialised, and the number may be somebody else's by then.
        descriptor = made
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
