import Cryptography
import Foundation

/// Writes a profile's file (docs/profile-file.md). What is not finished is removed again.
final class ArchiveWriter {
    /// The most that one chunk holds, in bytes.
    static let chunkLimit = 65_536

    private let path: String
    private let file: FileHandle
    private let stream: SealedStreamWriter
    private let header: [UInt8]
    private var isFinished = false

    /// Makes the file, which must not exist yet, readable by its owner only.
    ///
    /// - Throws: `MovingFault`, or what Argon2id lacks.
    init(to path: String, passphrase: Passphrase, cost: PassphraseKey.Cost) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw errno == EEXIST ? MovingFault.fileExists(path) : .notWritten(path) }
        self.path = path
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            let salt = randomBytes(PassphraseKey.saltCount)
            stream = try SealedStreamWriter(
                key: try PassphraseKey.derive(passphrase.bytes, salt: salt, cost: cost))
            header = ArchiveHeader(cost: cost, salt: salt, stream: stream.header).encoded
            try file.write(contentsOf: header)
        } catch {
            unlink(path)
            throw error
        }
    }

    deinit { if !isFinished { unlink(path) } }

    /// Adds the contents of one chunk: at most ``chunkLimit`` bytes.
    func append(_ chunk: [UInt8]) throws(MovingFault) { try append(chunk, isLast: false) }

    /// Adds the end. The file is on disk, with its name, when this returns.
    func finish() throws(MovingFault) {
        try append([], isLast: true)
        do { try file.synchronize() } catch { throw .notWritten(path) }
        isFinished = true
    }

    private func append(_ chunk: [UInt8], isLast: Bool) throws(MovingFault) {
        do {
            let sealed = try stream.seal(chunk, isLast: isLast, associatedData: header)
            let count = UInt32(sealed.count)
            try file.write(contentsOf: (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + sealed)
        } catch {
            throw .notWritten(path)
        }
    }
}
