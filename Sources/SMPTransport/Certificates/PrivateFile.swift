import Glibc
import SMPSession

/// Small files that must not be readable by others, not even for a moment.
enum PrivateFile {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String) throws(TransportError) {
        guard !exists(path) else { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]))
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(.makeFolder, path) }
    }

    /// Replaces a file in one step.
    static func write(_ text: String, to path: String, mode: mode_t) throws(TransportError) {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(.write, path) }
        let bytes = Array(text.utf8)
        let written = Glibc.write(descriptor, bytes, bytes.count)
        let synchronised = fsync(descriptor)
        close(descriptor)
        guard written == bytes.count, synchronised == 0, rename(temporary, path) == 0 else {
            throw failure(.write, path)
        }
    }

    /// A whole file as text; files larger than 1 MiB are refused.
    static func read(_ path: String) throws(TransportError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.read, path) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0, content.count <= 1 << 20 else { throw failure(.read, path) }
            if count == 0 { break }
            content += chunk.prefix(count)
        }
        return String(decoding: content, as: UTF8.self)
    }

    private static func failure(_ action: CertificateFileFault.Action, _ path: String) -> TransportError {
        .credentials(.system(action, path: path, reason: String(cString: strerror(errno))))
    }
}
