import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Agent

/// Whether a store's files are told from a copy that was put back.
@Suite(.timeLimit(.minutes(5))) struct StoreWitnessTests {
    private let folder = TemporaryFolder()

    private func open(_ folder: TemporaryFolder? = nil) throws -> AgentStore {
        try AgentStore(directory: (folder ?? self.folder).path, key: testStoreKey)
    }

    /// A store that was used and closed.
    private func used() throws {
        let store = try open()
        try store.write { try $0.setApplicationData("a", [1]) }
        store.close()
    }

    @Test func `a new store and one that was closed are untouched`() throws {
        for _ in 0..<3 {
            let store = try open()
            #expect(store.files == .untouched)
            try store.write { try $0.setApplicationData("a", randomBytes(10)) }
            store.close()
        }
    }

    @Test func `a store whose process died is untouched`() throws {
        let store = try open()
        try store.write { try $0.setApplicationData("a", [1]) }
        // Like a dead process: nothing is closed in order. Links keep the times of the files.
        let left = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: left.path, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.linkItem(atPath: folder.path + "/" + name, toPath: left.path + "/" + name)
        }
        #expect(StoreWitness(of: left.path + "/agent.sqlite").files == .untouched)
        store.close()
    }

    @Test func `a copy of the folder is not`() throws {
        try used()
        let copy = try folder.copy()
        #expect(try open(copy).files == .touched)
    }

    @Test func `a copy put back in place of the files is not`() throws {
        try used()
        let copy = try folder.copy()
        try used()
        for name in ["agent.sqlite", "agent.witness"] {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path + "/" + name))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: try Data(contentsOf: URL(fileURLWithPath: copy.path + "/" + name)))
            try handle.close()
        }
        #expect(try open().files == .touched)
    }

    @Test func `a copy stays one until it is dealt with`() throws {
        try used()
        let copy = try folder.copy()
        for _ in 0..<2 {
            let store = try open(copy)
            #expect(store.files == .touched)
            try store.write { try $0.setApplicationData("a", randomBytes(10)) }
            store.close()
        }
        let store = try open(copy)
        store.vouch()
        store.close()
        #expect(try open(copy).files == .untouched)
    }

    @Test func `a store without its witness is not untouched`() throws {
        try used()
        try FileManager.default.removeItem(atPath: folder.path + "/agent.witness")
        #expect(try open().files == .touched)
    }

    // MARK: The machine's end

    private func witness(_ folder: TemporaryFolder) -> String { folder.path + "/agent.witness" }

    /// Lets the file say that it was written before the machine was last started, `seconds` earlier.
    private func age(_ folder: TemporaryFolder, by seconds: Int64 = 0) throws {
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        var text = try String(contentsOfFile: witness(folder), encoding: .utf8)
        #expect(text.contains(boot.prefix(36)))
        text = text.replacingOccurrences(of: boot.prefix(36), with: "00000000-0000-0000-0000-000000000000")
        let match = try #require(text.firstMatch(of: #/"time":(\d+)/#))
        let time = try #require(Int64(match.1)) - seconds * 1_000_000_000
        text.replaceSubrange(match.range, with: "\"time\":\(time)")
        try Data(text.utf8).write(to: URL(fileURLWithPath: witness(folder)))
    }

    /// A store in use, with its files as a process that died would leave them.
    private func cut(by seconds: Int64 = 0) throws -> TemporaryFolder {
        let store = try open()
        try store.write { try $0.setApplicationData("a", [1]) }
        let left = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: left.path, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "agent.witness" {
            try FileManager.default.linkItem(atPath: folder.path + "/" + name, toPath: left.path + "/" + name)
        }
        try FileManager.default.copyItem(atPath: witness(folder), toPath: witness(left))
        try age(left, by: seconds)
        store.close()
        return left
    }

    private func files(_ folder: TemporaryFolder) -> StoreFiles {
        StoreWitness(of: folder.path + "/agent.sqlite").files
    }

    @Test func `an unclosed store of an earlier start of the machine is cut`() throws {
        #expect(try files(cut()) == .cut)
    }

    @Test func `the last words before a power cut may be missing`() throws {
        #expect(try files(cut(by: 61)) == .cut)
    }

    @Test func `files that were written long after the last words are somebody elses`() throws {
        #expect(try files(cut(by: 600)) == .touched)
    }

    @Test func `a cut stays one until it is dealt with`() throws {
        let store = try open()
        // The last words are not on the disk: what is there was said before the machine's end.
        let said = try Data(contentsOf: URL(fileURLWithPath: witness(folder)))
        try store.write { try $0.setApplicationData("a", [1]) }
        store.close()
        try said.write(to: URL(fileURLWithPath: witness(folder)))
        try age(folder)
        for _ in 0..<2 {
            let next = try open()
            #expect(next.files == .cut)
            try next.write { try $0.setApplicationData("a", randomBytes(10)) }
            next.close()
        }
        let last = try open()
        last.vouch()
        last.close()
        #expect(try open().files == .untouched)
    }

    @Test func `a store that is opened again after a cut and dies is still cut`() throws {
        let store = try open()
        let said = try Data(contentsOf: URL(fileURLWithPath: witness(folder)))
        store.close()
        try said.write(to: URL(fileURLWithPath: witness(folder)))
        try age(folder)
        let next = try open()
        #expect(next.files == .cut)
        #expect(files(folder) == .cut)
        next.vouch()
        #expect(files(folder) == .untouched)
        next.close()
    }

    /// The first words of a life are on the disk before anything changes.
    @Test func `a store that was closed long ago is known after a cut too`() throws {
        try used()
        let closed = try Data(contentsOf: URL(fileURLWithPath: witness(folder)))
        let store = try open()
        #expect(try Data(contentsOf: URL(fileURLWithPath: witness(folder))) != closed)
        store.close()
    }

    @Test(arguments: [1, 3, 6]) func `a store of an earlier version is taken as it is`(schema: Int) throws {
        let old = try StoreSample.folder(schema: schema)
        let store = try open(old)
        #expect(store.files == .untouched)
        store.close()
        #expect(try open(old).files == .untouched)
    }

    @Test func `only the owner may read the witness`() throws {
        try used()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/agent.witness")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
}
