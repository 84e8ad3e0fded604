import Cryptography
import Foundation

/// The file `store.key`: 32 random bytes that only their owner can read.
struct KeyFile: Sendable {
    static let name = "store.key"
    static let count = 32

    let path: String

    init(_ directory: ProfileDirectory) { path = directory.file(Self.name) }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// The key; nil when there is no file.
    /// - Throws: `AccountError.storeKey`.
    func read() throws(AccountError) -> SecretBytes? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .storeKey(path)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_size == Self.count else { throw .storeKey(path) }
        var isWhole = false
        let key = SecretBytes(count: Self.count) {
            isWhole = Foundation.read(descriptor, $0.baseAddress, $0.count) == $0.count
        }
        guard isWhole else { throw .storeKey(path) }
        return key
    }

    /// Keeps a key.
    /// - Throws: `AccountError.storeKey`.
    func write(_ key: SecretBytes) throws(AccountError) {
        do {
            try DurableFile.write(key, to: path)
        } catch {
            throw .storeKey(path)
        }
    }
}
