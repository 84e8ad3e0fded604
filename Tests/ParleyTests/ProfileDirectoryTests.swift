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
