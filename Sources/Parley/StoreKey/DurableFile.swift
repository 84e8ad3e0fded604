import Cryptography
import Foundation

/// Files that must be whole or absent after a crash, and readable by their owner only.
enum DurableFile {
    /// What the system refused.
    struct Refusal: Error {
        let code: Int32
    }

    /// Writes a file in place of what was there; on disk, with its name, when this returns.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try bytes.withUnsafeBytes { try write($0, to: path) }
    }

    /// The same for a secret, of which no copy is made.
    static func write(_ secret: SecretBytes, to path: String) throws {
        try secret.withUnsafeBytes { try write($0, to: path) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Refusal(code: errno) }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor)
        guard rename(draft, path) == 0 else { throw Refusal(code: errno) }
        syncFolder(of: path)
    }

    /// What a file holds, which from now on its owner alone can read; nil when there is no such file.
    static func read(_ path: String) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Refusal(code: errno)
        }
        defer { close(descriptor) }
        // Refused on a file system that knows no modes; what is read is the same.
        _ = fchmod(descriptor, 0o600)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Refusal(code: errno) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Overwrites a file with zeros, then removes it. A copy that the file system or the disk made before is out of reach.
    static func wipeAndRemove(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw Refusal(code: errno)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw Refusal(code: errno) }
        try [UInt8](repeating: 0, count: min(Int(information.st_size), 65_536)).withUnsafeBytes {
            try writeAll($0, to: descriptor)
        }
        guard unlink(path) == 0 else { throw Refusal(code: errno) }
        syncFolder(of: path)
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Refusal(code: errno) }
            rest = rest.dropFirst(written)
        }
        guard fsync(descriptor) == 0 else { throw Refusal(code: errno) }
    }

    /// Has the disk know the names in a file's folder.
    static func syncFolder(of path: String) {
        let descriptor = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
