import Foundation

/// Removes a profile for good: its key in the keyring and in files, its store, its relay.
public enum ProfileRemoval {
    /// Removes all there is of the profile in a configuration's folder, and the folder, unless others have put something into it. Can be
    /// repeated, and does nothing where there is no folder.
    /// - Throws: `AccountError.inUse` while a program has it open, `.folder` when something of it is left.
    public static func run(_ configuration: AccountConfiguration) async throws(AccountError) {
        let path = configuration.directory
        guard FileManager.default.fileExists(atPath: path) else { return }
        let directory = try ProfileDirectory(path: path)
        let lock = try ProfileLock(directory)
        defer { lock.release() }
        await ProfileExport.removeAll(in: directory, keyring: configuration.keyring, mayAsk: true)
        // Who does not unlock the keyring, or has it no more, gets rid of the profile all the same: its key opens nothing then.
        try? DurableFile.wipeAndRemove(directory.file(StoreKeyRecord.fileName))
        directory.hasBegun()
        try? FileManager.default.removeItem(atPath: directory.file(StoredSettings.fileName + ".damaged"))
        MovedMark.clear(path)
        guard !ProfileDirectory.hasProfile(path) else { throw .folder(path) }
        // Refused where others have put something into it.
        rmdir(path)
        DurableFile.syncFolder(of: path)
    }
}
