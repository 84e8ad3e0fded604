import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Parley

/// The file that holds a profile, as bytes.
@Suite(.timeLimit(.minutes(5))) struct ArchiveTests {
    private let folder: TemporaryFolder
    private let passphrase = Passphrase("correct horse")

    init() throws { folder = try TemporaryFolder() }

    private func write(_ chunks: [[UInt8]], to name: String = "file") throws -> String {
        let path = folder.file(name)
        let writer = try ArchiveWriter(to: path, passphrase: passphrase, cost: .least)
        for chunk in chunks { try writer.append(chunk) }
        try writer.finish()
        return path
    }

    private func read(_ path: String) throws -> [[UInt8]] {
        let reader = try ArchiveReader(path, passphrase: passphrase)
        var chunks: [[UInt8]] = []
        while let chunk = try reader.next() { chunks.append(chunk) }
        return chunks
    }

    @Test func `a header comes back as it was written`() throws {
        let header = ArchiveHeader(
            cost: .moderate, salt: Array(1...16), stream: Array(repeating: 9, count: SealedStream.headerCount))
        #expect(header.encoded.count == ArchiveHeader.count)
        #expect(try ArchiveHeader(parsing: header.encoded) == header)
    }

    @Test func `a header of something else, of a newer version, or cut off is told apart`() throws {
        let header = ArchiveHeader(
            cost: .least, salt: Array(1...16), stream: Array(repeating: 9, count: SealedStream.headerCount)
        ).encoded
        #expect(throws: MovingFault.notAProfile) { try ArchiveHeader(parsing: []) }
        #expect(throws: MovingFault.notAProfile) { try ArchiveHeader(parsing: [0] + header.dropFirst()) }
        var newer = header
        newer[ArchiveHeader.magic.count] = 2
        #expect(throws: MovingFault.newer) { try ArchiveHeader(parsing: newer) }
        for count in ArchiveHeader.magic.count + 1..<header.count {
            #expect(throws: MovingFault.damaged) { try ArchiveHeader(parsing: Array(header[..<count])) }
        }
    }

    @Test func `a passphrase that would cost more than a machine has is refused before it is paid`() throws {
        let path = try write([[1]])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for index in ArchiveHeader.magic.count + 1..<ArchiveHeader.magic.count + 13 { bytes[index] = 0xFF }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: MovingFault.damaged) { try read(path) }
    }

    @Test(arguments: [
        ("agent.sqlite", true), ("settings.json", true), ("relay/relay.sqlite", true), ("relay/ca.key", true),
        ("relay/port", true), ("key.json", false), ("store.key", false), ("moved.json", false), ("", false),
        ("relay", false), ("relay/", false), ("/agent.sqlite", false), ("../agent.sqlite", false),
        ("relay/../x", false), ("relay/..", false), ("relay/.x", false), ("relay/a/b", false), ("relay//a", false),
        ("relay/a\0b", false), ("relay/-x", false), ("relay/ä", false),
        ("relay/" + String(repeating: "a", count: 64), true), ("relay/" + String(repeating: "a", count: 65), false),
    ])
    func `only a profile's own files are taken`(path: String, isTaken: Bool) {
        #expect(ArchiveManifest.isPath(path) == isTaken)
        let files = [
            ArchiveManifest.File(path: "agent.sqlite", size: 1), ArchiveManifest.File(path: "settings.json", size: 1),
        ]
        let manifest = ArchiveManifest(
            madeAt: 5, files: files.filter { $0.path != path } + [ArchiveManifest.File(path: path, size: 3)])
        #expect(((try? ArchiveManifest(parsing: manifest.encoded())) == manifest) == isTaken)
    }

    @Test func `a list without a store, with a file twice, of wrong sizes or too long is damaged`() throws {
        let store = ArchiveManifest.File(path: "agent.sqlite", size: 1)
        let lists: [[ArchiveManifest.File]] = [
            [], [ArchiveManifest.File(path: "settings.json", size: 1)], [store, store],
            [ArchiveManifest.File(path: "agent.sqlite", size: -1)],
            [
                ArchiveManifest.File(path: "agent.sqlite", size: .max),
                ArchiveManifest.File(path: "settings.json", size: .max),
            ],
            [store] + (0..<ArchiveManifest.fileLimit).map { ArchiveManifest.File(path: "relay/a\($0)", size: 0) },
        ]
        for files in lists {
            let bytes = ArchiveManifest(madeAt: 0, files: files).encoded()
            #expect(throws: MovingFault.damaged) { try ArchiveManifest(parsing: bytes) }
        }
        #expect(throws: MovingFault.damaged) { try ArchiveManifest(parsing: Array("{}".utf8)) }
    }

    @Test func `a file that was changed anywhere, cut off anywhere, or goes on is told`() throws {
        var generator = SeededGenerator(seed: 3)
        let chunks = [generator.bytes(32), generator.bytes(100), generator.bytes(ArchiveWriter.chunkLimit), []]
        let path = try write(chunks)
        #expect(try read(path) == chunks)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func fault(_ bytes: [UInt8]) throws -> MovingFault? {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            do {
                _ = try read(path)
                return nil
            } catch let fault as MovingFault {
                return fault
            }
        }
        for _ in 0..<300 {
            var changed = bytes
            changed[Int.random(in: changed.indices, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(try fault(changed) != nil)
            let cut = Array(bytes[..<Int.random(in: bytes.indices, using: &generator)])
            #expect(try fault(cut) != nil)
        }
        #expect(try fault(bytes + [0]) == .damaged)
        #expect(try fault(bytes) == nil)
    }

    @Test func `a file that is there is never written over, and one that is not finished goes`() throws {
        let path = try write([[1]])
        #expect(throws: MovingFault.fileExists(path)) {
            try ArchiveWriter(to: path, passphrase: passphrase, cost: .least)
        }
        #expect(try read(path) == [[1]])
        do {
            let writer = try ArchiveWriter(to: folder.file("other"), passphrase: passphrase, cost: .least)
            try writer.append([1])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }
}
