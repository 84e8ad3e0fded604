import Cryptography
import Foundation

/// A store that is carried from one folder, or machine, to another while no agent has it open.
public enum CarriedStore {
    /// The file that holds all of a store that was prepared.
    public static let fileName = AgentStore.fileName
    /// All files that a store ever has beside each other.
    public static let fileNames = [fileName, fileName + "-wal", fileName + "-shm", StoreWitness.fileName]

    /// Brings all of the store into its one file.
    ///
    /// - Throws: `StoreError`; `.wrongKey` when it is not the store's key.
    public static func prepare(in directory: String, key: SecretBytes) throws {
        let store = try AgentStore(directory: directory, key: key)
        defer { store.close() }
        try store.emptyLog()
    }

    /// Looks whether the store that has come here opens with its key, and has the agent be as careful with it as it has to be.
    ///
    /// - Parameter withRelay: that the relay came with it. Such a relay remembers the note (docs/protocol.md) wherever it is carried, so it
    ///   can't tell a second copy from the first: every ratchet is renewed at the start.
    /// - Throws: `StoreError`.
    public static func arrive(in directory: String, key: SecretBytes, withRelay: Bool) throws {
        let store = try AgentStore(directory: directory, key: key)
        defer {
            store.close()
            // Nothing vouches for files that were carried.
            try? FileManager.default.removeItem(atPath: directory + "/" + StoreWitness.fileName)
        }
        if withRelay { try store.write { try $0.setClosed(false) } }
    }
}
