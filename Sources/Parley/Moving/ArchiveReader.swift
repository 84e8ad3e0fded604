import Cryptography
import Foundation

/// Reads a profile's file (docs/profile-file.md), a chunk at a time. Whatever it holds, no more memory is used than a chunk takes
/// and the passphrase's key costs.
final class ArchiveReader {
    private let file: FileHandle
    private let path: String
    private let stream: SealedStreamReader
    private let header: [UInt8]
    private var hasEnded = false

    /// Opens the file.
    ///
    /// - Throws: `MovingFault`.
    init(_ path: String, passphrase: Passphrase) throws(MovingFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notRead(path) }
        self.path = path
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        header = try Self.bytes(ArchiveHeader.count, of: file, path)
        let read = try ArchiveHeader(parsing: header)
        do {
            stream = try SealedStreamReader(
                key: try PassphraseKey.derive(passphrase.bytes, salt: read.salt, cost: read.cost), header: read.stream)
        } catch {
            throw .damaged
        }
    }

    /// The next chunk; nil behind the last one.
    ///
    /// - Throws: `MovingFault.damaged`, also when the file ends before the last chunk or goes on behind it.
    func next() throws(MovingFault) -> [UInt8]? {
        guard !hasEnded else { return nil }
        let head = try Self.bytes(4, of: file, path)
        guard head.count == 4 else { throw .damaged }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard (SealedStream.overhead...ArchiveWriter.chunkLimit + SealedStream.overhead).contains(count) else {
            throw .damaged
        }
        let sealed = try Self.bytes(count, of: file, path)
        guard sealed.count == count, let opened = try? stream.open(sealed, associatedData: header) else {
            throw .damaged
        }
        guard opened.isLast else { return opened.chunk }
        hasEnded = true
        guard opened.chunk.isEmpty, try Self.bytes(1, of: file, path).isEmpty else { throw .damaged }
        return nil
    }

    /// Fewer at the end of the file.
    private static func bytes(_ count: Int, of file: FileHandle, _ path: String) throws(MovingFault) -> [UInt8] {
        do {
            return [UInt8](try file.read(upToCount: count) ?? Data())
        } catch {
            throw .notRead(path)
        }
    }
}
