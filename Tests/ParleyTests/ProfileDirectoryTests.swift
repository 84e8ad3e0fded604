import Foundation
import TestSupport
import Testing

@testable import Parley

struct ProfileDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func makesAFolderThatOnlyItsOwnerCanOpen() throws {
        let directory = try ProfileDirectory(path: folder.file("a/b"))
        #expect(try mode(directory.path) == 0o700)
    }

    @Test func makesTheStoreKeyOnceForItsOwnerOnly() throws {
        let directory = try ProfileDirectory(path: folder.file("a"))
        let key = try directory.storeKey()
        #expect(key.count == 32)
        #expect(try directory.storeKey() == key)
        #expect(try mode(directory.file("store.key")) == 0o600)
    }

    @Test func givesEveryProfileItsOwnKey() throws {
        let first = try ProfileDirectory(path: folder.file("a")).storeKey()
        #expect(try ProfileDirectory(path: folder.file("b")).storeKey() != first)
    }

    @Test func refusesAKeyOfAWrongSize() throws {
        let directory = try ProfileDirectory(path: folder.file("a"))
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: directory.file("store.key")))
        #expect(throws: AccountError.storeKey(directory.file("store.key"))) { try directory.storeKey() }
    }

    @Test func refusesAFolderThatIsAFile() throws {
        let file = folder.file("file")
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: AccountError.folder(file)) { try ProfileDirectory(path: file) }
    }

    @Test func locksTheFolderUntilItIsReleased() throws {
        let directory = try ProfileDirectory(path: folder.file("a"))
        let lock = try ProfileLock(directory)
        #expect(throws: AccountError.inUse(directory.path)) { try ProfileLock(directory) }
        lock.release()
        let second = try ProfileLock(directory)
        lock.release()
        #expect(throws: AccountError.inUse(directory.path)) { try ProfileLock(directory) }
        withExtendedLifetime(second) {}
    }
}
