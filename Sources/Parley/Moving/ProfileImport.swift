import Agent
import BaseKit
import Cryptography
import Foundation

/// Makes a profile of the file that ``ProfileExport`` has written. Nothing is left of an attempt that fails.
public struct ProfileImport: Sendable {
    private let path: String
    private let configuration: AccountConfiguration

    /// - Parameters:
    ///   - path: the file.
    ///   - configuration: the folder where the profile is to be, which must not exist, be empty or have had a profile that was carried
    ///     elsewhere, and where its key is to be kept.
    public init(_ path: String, as configuration: AccountConfiguration) {
        (self.path, self.configuration) = (path, configuration)
    }

    /// Reads the file and makes the profile of it, which can be opened when this returns. The file is removed then: a profile
    /// lives in one place.
    ///
    /// - Parameters:
    ///   - passphrase: what the file was written under.
    ///   - tell: told how much is done, from 0 to 1.
    /// - Throws: `AccountError`, of which `.wrongPassphrase` when nothing can be read with this one; `CancellationError`. Then the file is
    ///   as it was.
    public func run(
        passphrase: Passphrase, tell: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws {
        let directory = URL(fileURLWithPath: configuration.directory).path
        guard Self.isFree(directory) || MovedMark.isAllThatIsLeft(in: directory) else {
            throw AccountError.moving(.folderInUse(directory))
        }
        // Nobody opens what is left of a profile that was carried elsewhere while another one takes its place.
        let left = Self.isFree(directory) ? nil : try ProfileLock(try ProfileDirectory(path: directory))
        defer { left?.release() }
        let draft = try ProfileDirectory(path: directory + ".import")
        let lock = try ProfileLock(draft)
        do {
            defer { lock.release() }
            try Self.clear(draft)
            try await unpack(to: draft, passphrase, tell)
            if left != nil {
                await ProfileExport.removeAll(
                    in: try ProfileDirectory(path: directory), keyring: configuration.keyring, mayAsk: true)
                MovedMark.clear(directory)
            }
            guard rename(draft.path, directory) == 0 else { throw AccountError.folder(directory) }
            DurableFile.syncFolder(of: directory)
        } catch {
            try? FileManager.default.removeItem(atPath: draft.path)
            throw error
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func isFree(_ directory: String) -> Bool {
        guard FileManager.default.fileExists(atPath: directory) else { return true }
        return (try? FileManager.default.contentsOfDirectory(atPath: directory))?.isEmpty == true
    }

    /// Removes what an attempt before this one has left.
    private static func clear(_ draft: ProfileDirectory) throws(AccountError) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: draft.path)) ?? [] where name != "lock" {
            do { try FileManager.default.removeItem(atPath: draft.file(name)) } catch { throw .folder(draft.path) }
        }
    }

    private func unpack(
        to draft: ProfileDirectory, _ passphrase: Passphrase, _ tell: @escaping @Sendable (Double) -> Void
    ) async throws {
        let (key, manifest) = try await DiskWork.run { [path] in try Self.unpack(path, to: draft, passphrase, tell) }
        do {
            try CarriedStore.arrive(in: draft.path, key: key, withRelay: manifest.hasRelay)
        } catch {
            throw AccountError.store(StoreFault(error))
        }
        let keeper = StoreKeyKeeper(
            directory: draft, keyring: configuration.keyring, passphrases: configuration.passphraseSource,
            cost: configuration.passphraseCost,
            profileName: URL(fileURLWithPath: configuration.directory).lastPathComponent)
        try await keeper.adopt(key, configuration.storeKey)
    }

    private static func unpack(
        _ path: String, to draft: ProfileDirectory, _ passphrase: Passphrase, _ tell: (Double) -> Void
    ) throws -> (SecretBytes, ArchiveManifest) {
        do {
            let reader = try ArchiveReader(path, passphrase: passphrase)
            // Damage shows from the second chunk on: the first one is opened by nothing but the passphrase.
            guard var plain = try? reader.next() else { throw AccountError.wrongPassphrase }
            defer { wipe(&plain) }
            guard plain.count == KeyFile.count, let bytes = try reader.next() else { throw MovingFault.damaged }
            let manifest = try ArchiveManifest(parsing: bytes)
            try checkRoom(for: manifest, in: draft.path)
            var done: Int64 = 0
            for file in manifest.files {
                try write(file, of: reader, to: draft.file(file.path)) { count in
                    done += count
                    tell(Double(done) / Double(max(manifest.size, 1)))
                }
            }
            guard try reader.next() == nil else { throw MovingFault.damaged }
            return (SecretBytes(plain), manifest)
        } catch let fault as MovingFault {
            throw AccountError.moving(fault)
        }
    }

    private static func checkRoom(for manifest: ArchiveManifest, in path: String) throws(MovingFault) {
        let free = try? FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize] as? NSNumber
        if let free, free.int64Value < manifest.size + manifest.size / 8 { throw .noRoom(manifest.size) }
    }

    private static func write(
        _ file: ArchiveManifest.File, of reader: ArchiveReader, to path: String, tell: (Int64) -> Void
    ) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw MovingFault.notWritten(path) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var left = file.size
        while left > 0 {
            try Task.checkCancellation()
            guard let chunk = try reader.next(), !chunk.isEmpty, Int64(chunk.count) <= left else {
                throw MovingFault.damaged
            }
            do { try handle.write(contentsOf: chunk) } catch { throw MovingFault.notWritten(path) }
            left -= Int64(chunk.count)
            tell(Int64(chunk.count))
        }
        do { try handle.synchronize() } catch { throw MovingFault.notWritten(path) }
        DurableFile.syncFolder(of: path)
    }
}
