import Glibc

/// A socket with an owner, never blocking, closed when the last reference goes.
final class OwnedSocket: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// A TCP socket for an address family; nil when the system refuses.
    static func stream(_ family: Int32) -> OwnedSocket? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        return descriptor < 0 ? nil : OwnedSocket(descriptor)
    }

    /// What became of reading or writing.
    enum Outcome: Equatable {
        case bytes(Int)
        case wouldBlock
        case over
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        outcome(recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        outcome(Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
    }

    private func outcome(_ result: Int) -> Outcome {
        if result > 0 { return .bytes(result) }
        return result < 0 && [EAGAIN, EINTR].contains(errno) ? .wouldBlock : .over
    }

    /// Media packets are small and must not wait for one another.
    func sendAtOnce() {
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }
}
