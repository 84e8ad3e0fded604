import CSodium

/// Bytes that must not stay in memory longer than needed: wiped when the last copy of the value goes,
/// compared in constant time, never printed.
public struct SecretBytes: Sendable, Equatable {
    private let storage: Storage

    /// Copies `bytes`; the caller's array is not wiped.
    public init(_ bytes: [UInt8]) {
        storage = Storage(count: bytes.count)
        storage.buffer.copyBytes(from: bytes)
    }

    /// Copies the bytes of a raw buffer.
    public init(_ bytes: UnsafeRawBufferPointer) {
        storage = Storage(count: bytes.count)
        storage.buffer.copyMemory(from: bytes)
    }

    /// Lets `initialize` fill `count` zero bytes in place, so that no copy of the secret is left elsewhere.
    public init(count: Int, initialize: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        storage = Storage(count: count)
        try initialize(storage.buffer)
    }

    /// Fresh bytes of the system's generator.
    public static func random(_ count: Int) -> SecretBytes {
        SecretBytes(count: count) { Sodium.fill($0) }
    }

    /// How many bytes there are.
    public var count: Int { storage.buffer.count }

    /// Calls `body` with the bytes; the pointer must not leave it.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(storage.buffer))
    }

    /// A copy that nobody wipes: the caller's responsibility.
    public var bytes: [UInt8] { Array(storage.buffer) }

    /// The part of the secret in `range`, as a secret of its own.
    ///
    /// - Throws: `CryptographyError.invalidLength` when `range` reaches beyond the secret.
    public func part(_ range: Range<Int>) throws -> SecretBytes {
        guard range.lowerBound >= 0, range.upperBound <= count else { throw CryptographyError.invalidLength }
        return SecretBytes(UnsafeRawBufferPointer(rebasing: storage.buffer[range]))
    }

    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        return sodium_memcmp(left.storage.address, right.storage.address, left.count) == 0
    }

    /// The address of the first byte, for the C functions that take no nil.
    func withPointer<R>(_ body: (UnsafePointer<UInt8>) throws -> R) rethrows -> R {
        try body(UnsafePointer(storage.address))
    }

    // The bytes are written only while the value that owns them is made, so sharing them between threads is safe.
    private final class Storage: @unchecked Sendable {
        let address: UnsafeMutablePointer<UInt8>
        let buffer: UnsafeMutableRawBufferPointer

        init(count: Int) {
            // At least one byte, so that the address exists even for an empty secret.
            address = .allocate(capacity: max(count, 1))
            address.initialize(repeating: 0, count: max(count, 1))
            buffer = UnsafeMutableRawBufferPointer(start: address, count: count)
        }

        deinit {
            sodium_memzero(address, buffer.count)
            address.deallocate()
        }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SecretBytes(\(count))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
