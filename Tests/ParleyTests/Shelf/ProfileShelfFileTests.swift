import Foundation
import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct ProfileShelfFileTests {
    private let folder: TemporaryFolder
    private let file: ProfileShelfFile

    init() throws {
        folder = try TemporaryFolder()
        file = ProfileShelfFile(first: folder.file("data/parley"))
    }

    private func two() throws -> ProfileShelf {
        var shelf = ProfileShelf()
        _ = try shelf.make()
        _ = shelf.begun(2)
        return shelf
    }

    private func lay(_ name: String, in path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    @Test func `the first profile keeps its folder and others lie beside it`() {
        #expect(file.folder(of: 1) == folder.file("data/parley"))
        #expect(file.folder(of: 2) == folder.file("data/parley-2"))
    }

    @Test func `who has never had but one profile has no file`() throws {
        #expect(file.read().shelf == ProfileShelf() && file.read().loss == nil)
        try file.write(ProfileShelf())
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `what is written is read again, and its owner alone can read it`() throws {
        let shelf = try two()
        try file.write(shelf)
        #expect(file.read().shelf == shelf && file.read().loss == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try file.write(ProfileShelf())
        #expect(file.read().shelf == ProfileShelf())
    }

    @Test func `a damaged list is put aside, and the profiles whose folders are there are known and closed`() throws {
        try file.write(try two())
        try Data("{".utf8).write(to: URL(fileURLWithPath: file.path))
        try lay("agent.sqlite", in: file.folder(of: 2))
        try lay("agent.sqlite", in: file.folder(of: 7))
        try lay("something", in: file.folder(of: 5))
        try lay("agent.sqlite", in: folder.file("data/parley-x"))
        let (shelf, loss) = file.read()
        #expect(loss == .damaged(aside: file.path + ".damaged"))
        #expect(shelf.items.map(\.id) == [1, 2, 7])
        #expect(shelf.items.map(\.standing) == [.open, .closed, .closed])
        #expect(file.read().loss == nil)
    }

    @Test func `a list that can't be read at all is left alone and told of`() throws {
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
        #expect(file.read() == (ProfileShelf(), .unreadable(file.path)))
        #expect(throws: AccountError.folder(file.path)) { try file.write(try two()) }
    }

    @Test func `a list that is a link is not followed`() throws {
        let elsewhere = folder.file("elsewhere")
        try Data(try two().encoded()).write(to: URL(fileURLWithPath: elsewhere))
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: elsewhere)
        #expect(file.read().loss == .unreadable(file.path))
    }

    @Test func `of several profiles only the one that is shown is not behind`() throws {
        var shelf = try two()
        #expect(!ProfileShelfFile.isBehind(file.folder(of: 1)))
        try file.write(shelf)
        #expect(ProfileShelfFile.isBehind(file.folder(of: 1)) && !ProfileShelfFile.isBehind(file.folder(of: 2)))
        _ = try shelf.show(1)
        try file.write(shelf)
        #expect(!ProfileShelfFile.isBehind(file.folder(of: 1)) && ProfileShelfFile.isBehind(file.folder(of: 2)))
        #expect(!ProfileShelfFile.isBehind(file.folder(of: 3)) && !ProfileShelfFile.isBehind(folder.file("parley-2")))
    }

    @Test func `numbers whose folders have something in them are taken`() throws {
        try lay("x", in: file.folder(of: 3))
        try FileManager.default.createDirectory(atPath: file.folder(of: 4), withIntermediateDirectories: true)
        try lay("x", in: folder.file("data/parley-012345"))
        #expect(file.taken == [3])
    }
}
