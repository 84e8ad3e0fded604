import Agent
import BaseKit
import Cryptography
import Foundation

/// Carries a profile, which no program has open, into one file, and closes it for good.
///
/// The file is complete, on disk and read back before the mark is written; from then on the profile here opens no more, and only then the
/// file gets its name. So a crash at any point leaves one of both that can be used, and never two.
public struct ProfileExport: Sendable {
    private let directory: ProfileDirectory
    private let lock: ProfileLock
    private let keeper: StoreKeyKeeper

    /// Takes the profile of a configuration's folder.
    ///
    /// - Throws: `AccountError.moving` when there is none, `.inUse` while a program has it open.
    public init(_ configuration: AccountConfiguration) throws(AccountError) {
        let path = configuration.directory
        guard FileManager.default.fileExists(atPath: path + "/" + ArchiveManifest.store) else {
            throw .moving(.noProfile(path))
        }
        directory = try ProfileDirectory(path: path)
        lock = try ProfileLock(directory)
        try directory.begin()
        keeper = StoreKeyKeeper(
            directory: directory, keyring: configuration.keyring, passphrases: configuration.passphraseSource,
            cost: configuration.passphraseCost)
    }

    /// Looks whether a file could be written, before anything is closed for it. Makes nothing.
    /// - Throws: `AccountError.moving`.
    public static func check(_ path: String) throws(AccountError) {
        let target = URL(fileURLWithPath: path)
        guard !FileManager.default.fileExists(atPath: target.path) else { throw .moving(.fileExists(target.path)) }
        guard FileManager.default.isWritableFile(atPath: target.deletingLastPathComponent().path) else {
            throw .moving(.notWritten(target.path))
        }
    }

    /// Writes the file and closes the profile. It takes as long as the disk needs to write the profile once and read it once.
    ///
    /// - Parameters:
    ///   - path: where the file is to be; nothing may be there.
    ///   - passphrase: what opens it. Nobody can open it without.
    ///   - cost: how much work a guess at the passphrase takes.
    ///   - tell: told how much is done, from 0 to 1.
    /// - Throws: `AccountError`, `CancellationError`; then the profile is as it was.
    public func run(
        to path: String, passphrase: Passphrase, cost: PassphraseKey.Cost = .moderate,
        tell: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws {
        try await write(to: path, passphrase: passphrase, cost: cost, tell: tell)
        await Self.finish(directory, keyring: keeper.keyring, mayAsk: keeper.mayAsk)
        lock.release()
    }

    /// The same up to the moment from which on the profile here opens no more.
    func write(
        to path: String, passphrase: Passphrase, cost: PassphraseKey.Cost, tell: @escaping @Sendable (Double) -> Void
    ) async throws {
        guard !passphrase.isEmpty else { throw AccountError.passphraseNeeded }
        let target = URL(fileURLWithPath: path).path
        guard !FileManager.default.fileExists(atPath: target) else { throw AccountError.moving(.fileExists(target)) }
        let key = try await keeper.find()
        do {
            try CarriedStore.prepare(in: directory.path, key: key)
        } catch {
            throw AccountError.store(StoreFault(error))
        }
        let manifest = ArchiveManifest(madeAt: Int64(Date().timeIntervalSince1970), files: files())
        let (directory, draft) = (directory, Self.draft(of: target))
        try await DiskWork.run {
            // What an attempt before this one has left.
            unlink(draft)
            try Self.write(manifest, key, of: directory, to: draft, passphrase, cost) { tell($0 / 2) }
            do {
                try Self.verify(draft, manifest, key, passphrase) { tell(0.5 + $0 / 2) }
            } catch {
                unlink(draft)
                throw error
            }
        }
        try MovedMark(file: target, movedAt: manifest.madeAt).write(in: directory)
    }

    /// Looks whether the profile was carried elsewhere, and ends what a crash has left undone of that.
    ///
    /// - Throws: `AccountError.store(.moved)`.
    static func refuseMoved(_ directory: ProfileDirectory, keyring: any SecretKeeping) async throws(AccountError) {
        guard let mark = MovedMark.read(in: directory) else { return }
        await finish(directory, keyring: keyring, mayAsk: false)
        throw .store(.moved(mark.file))
    }

    /// Does what is left to do for a profile that has its mark: the file gets its name, the profile's key and its files are removed.
    /// A keyring that keeps the key all the same is told again by the next call.
    static func finish(_ directory: ProfileDirectory, keyring: any SecretKeeping, mayAsk: Bool) async {
        guard let mark = MovedMark.read(in: directory) else { return }
        if !mark.file.isEmpty, !FileManager.default.fileExists(atPath: mark.file) {
            rename(draft(of: mark.file), mark.file)
            DurableFile.syncFolder(of: mark.file)
        }
        await removeAll(in: directory, keyring: keyring, mayAsk: mayAsk)
    }

    /// Removes a profile's key and its files; the folder stays, with the mark of one that was carried elsewhere, and with the name of a key that
    /// its keyring could not be told to forget.
    /// - Parameter mayAsk: Whether the keyring may ask the person to unlock it.
    static func removeAll(in directory: ProfileDirectory, keyring: any SecretKeeping, mayAsk: Bool) async {
        // The key first: without it the rest is noise.
        var left: StoreKeyRecord?
        if let record = try? StoreKeyRecord.read(in: directory),
            record.place == .secretService || record.isLeftInKeyring == true
        {
            do {
                try await keyring.forget(named: record.name, mayAsk: mayAsk)
            } catch {
                left = StoreKeyRecord(place: .secretService)
                left?.name = record.name
            }
        }
        for name in [KeyFile.name, StoreKeyRecord.fileName] { try? DurableFile.wipeAndRemove(directory.file(name)) }
        try? left?.write(in: directory)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        where own.contains(name) {
            try? FileManager.default.removeItem(atPath: directory.file(name))
        }
    }

    /// What a profile's folder holds besides its key.
    private static let own = Set(
        CarriedStore.fileNames + [StoredSettings.fileName, ArchiveManifest.relayFolder, EchoPeer.folderName])

    private static func draft(of path: String) -> String { path + ".part" }

    private func files() -> [ArchiveManifest.File] {
        let relay =
            (try? FileManager.default.contentsOfDirectory(atPath: directory.file(ArchiveManifest.relayFolder))) ?? []
        let paths =
            [ArchiveManifest.store, StoredSettings.fileName]
            + relay.sorted().map { ArchiveManifest.relayFolder + "/" + $0 }
        return paths.filter(ArchiveManifest.isPath).compactMap { path in
            var information = stat()
            guard lstat(directory.file(path), &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            return ArchiveManifest.File(path: path, size: Int64(information.st_size))
        }
    }

    // MARK: The file

    private static func write(
        _ manifest: ArchiveManifest, _ key: SecretBytes, of directory: ProfileDirectory, to draft: String,
        _ passphrase: Passphrase, _ cost: PassphraseKey.Cost, tell: (Double) -> Void
    ) throws {
        do {
            let writer = try ArchiveWriter(to: draft, passphrase: passphrase, cost: cost)
            var plain = key.bytes
            defer { wipe(&plain) }
            try writer.append(plain)
            try writer.append(manifest.encoded())
            var done: Int64 = 0
            for file in manifest.files {
                guard let handle = FileHandle(forReadingAtPath: directory.file(file.path)) else {
                    throw MovingFault.notRead(directory.file(file.path))
                }
                var left = file.size
                while left > 0 {
                    try Task.checkCancellation()
                    let bytes = try handle.read(upToCount: Int(min(left, Int64(ArchiveWriter.chunkLimit)))) ?? Data()
                    guard !bytes.isEmpty else { throw MovingFault.notRead(directory.file(file.path)) }
                    try writer.append([UInt8](bytes))
                    left -= Int64(bytes.count)
                    done += Int64(bytes.count)
                    tell(Double(done) / Double(max(manifest.size, 1)))
                }
            }
            try writer.finish()
            DurableFile.syncFolder(of: draft)
        } catch let error as CancellationError {
            throw error
        } catch let fault as MovingFault {
            throw AccountError.moving(fault)
        } catch {
            throw AccountError.moving(.notWritten(draft))
        }
    }

    /// Reads back what was written: the profile's own files go only for one that opens.
    private static func verify(
        _ draft: String, _ manifest: ArchiveManifest, _ key: SecretBytes, _ passphrase: Passphrase,
        tell: (Double) -> Void
    ) throws {
        do {
            let reader = try ArchiveReader(draft, passphrase: passphrase)
            guard let found = try reader.next(), SecretBytes(found) == key, try reader.next() == manifest.encoded()
            else {
                throw MovingFault.damaged
            }
            var done: Int64 = 0
            while let chunk = try reader.next() {
                try Task.checkCancellation()
                done += Int64(chunk.count)
                tell(Double(done) / Double(max(manifest.size, 1)))
            }
            guard done == manifest.size else { throw MovingFault.damaged }
        } catch let fault as MovingFault {
            throw AccountError.moving(fault)
        }
    }
}
