import Glibc

extension OwnedSocket {
    /// Whether the other end of this connection of the machine with itself is a socket of this process.
    ///
    /// The kernel lists every connection with its socket's number, and every socket that a process has open by that number.
    var isOfThisProcess: Bool {
        guard let mine = end(getsockname), let theirs = end(getpeername) else { return false }
        let table = theirs.utf8.count > 13 ? "tcp6" : "tcp"
        // The thread's own, should it live in another network namespace than the process.
        for line in KernelText.read("/proc/thread-self/net/" + table).split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[1] == theirs, fields[2] == mine else { continue }
            return KernelText.links(in: "/proc/self/fd").contains("socket:[\(fields[9])]")
        }
        return false
    }

    /// The address of one end, as the kernel's table of connections spells it: `0100007F:1F90`.
    private func end(
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> String? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                ask(descriptor, address, &length) == 0 ? KernelText.address(UnsafeRawPointer(address)) : nil
            }
        }
    }
}

/// Texts of `/proc`.
enum KernelText {
    /// The whole text of a file.
    static func read(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            guard count > 0 else { return String(decoding: content, as: UTF8.self) }
            content += block[..<count]
        }
    }

    /// Where the symbolic links in a folder lead.
    static func links(in folder: String) -> Set<String> {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var found: Set<String> = []
        var target = [UInt8](repeating: 0, count: 256)
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let count = target.withUnsafeMutableBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { text in
                    text.baseAddress.map { readlink(folder + "/" + name, $0, text.count) } ?? -1
                }
            }
            if count > 0 { found.insert(String(decoding: target[..<count], as: UTF8.self)) }
        }
        return found
    }

    /// How `/proc/net/tcp` spells an address and port.
    static func address(_ raw: UnsafeRawPointer) -> String? {
        switch Int32(raw.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let four = raw.loadUnaligned(as: sockaddr_in.self)
            return hexadecimal(four.sin_addr.s_addr) + ":" + hexadecimal(UInt16(bigEndian: four.sin_port))
        case AF_INET6:
            let six = raw.loadUnaligned(as: sockaddr_in6.self)
            let words = withUnsafeBytes(of: six.sin6_addr) { bytes in
                (0..<4).map { hexadecimal(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)) }
            }
            return words.joined() + ":" + hexadecimal(UInt16(bigEndian: six.sin6_port))
        default: return nil
        }
    }

    private static func hexadecimal(_ number: some FixedWidthInteger) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }
}
