import Foundation
import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct ProfileDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `makes a folder that only its owner can open`() throws {
        let directory = try ProfileDirectory(path: folder.file("a/b"))
        #expect(try mode(directory.path) == 0o700)
    }

    @Test func `refuses a folder that is a file`() throws {
        let file = folder.file("file")
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: AccountError.folder(file)) { try ProfileDirectory(path: file) }
    }

    private func write(_ name: String, _ bytes: [UInt8] = [1], in directory: ProfileDirectory) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: directory.file(name)))
    }

    @Test(arguments: ["store.key", "key.json", "settings.json"])
    func `a profile whose store is missing or empty is refused`(_ other: String) throws {
        let directory = try ProfileDirectory(path: folder.file("a"))
        try write(other, in: directory)
        #expect(throws: AccountError.self) { try directory.begin() }
        try write("agent.sqlite", [], in: directory)
        #expect(throws: AccountError.self) { try directory.begin() }
        try write("agent.sqlite", [1], in: directory)
        try directory.begin()
    }

    @Test func `a profile whose first start was cut off begins again`() throws {
        let directory = try ProfileDirectory(path: folder.file("a"))
        try directory.begin()
        try write("settings.json", in: directory)
        try write("store.key", in: directory)
        try directory.begin()
        try write("agent.sqlite", in: directory)
        directory.hasBegun()
        try FileManager.default.removeItem(atPath: directory.file("agent.sqlite"))
        #expect(throws: AccountError.self) { try directory.begin() }
    }

    @Test func `locks the folder until it is released`() throws {
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
