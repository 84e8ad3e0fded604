import Glibc

/// A file descriptor with an owner: closed when the last reference goes.
public final class FileDescriptor: Sendable {
    /// The number, valid as long as this object lives.
    public let number: Int32

    /// Takes over a descriptor.
    public init(adopting number: Int32) { self.number = number }

    deinit { close(number) }
}
