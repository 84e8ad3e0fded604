import NIOCore
import TLS

/// A session of TLS that is fed with bytes and gives bytes, as a channel handler drives it.
package protocol TLSRecords {
    associatedtype Failure: Error

    func handshake() throws(Failure) -> Bool
    func receive(_ bytes: UnsafeRawBufferPointer) throws(Failure)
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> OpenSSLSession.ReadResult
    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure)
    var pendingOutput: Int { get }
    func takeOutput(into buffer: UnsafeMutableRawBufferPointer) -> Int
    func shutDown()
}

extension OpenSSLSession: TLSRecords {}

/// What a read brought.
package enum TLSPlaintext {
    /// Decrypted bytes of one record.
    case bytes(ByteBuffer)
    /// More has to come from the network first.
    case needsInput
    /// The peer has ended the session.
    case closed
}

extension TLSRecords {
    /// Takes what came from the network.
    package func receive(_ buffer: ByteBuffer) throws(Failure) {
        let result = buffer.withUnsafeReadableBytes { bytes in Result { () throws(Failure) in try receive(bytes) } }
        try result.get()
    }

    /// Encrypts; the records wait as output then.
    package func write(_ buffer: ByteBuffer) throws(Failure) {
        let result = buffer.withUnsafeReadableBytes { bytes in Result { () throws(Failure) in try write(bytes) } }
        try result.get()
    }

    /// Decrypts the next record.
    package func read(_ allocator: ByteBufferAllocator) throws(Failure) -> TLSPlaintext {
        var plaintext = allocator.buffer(capacity: recordSize)
        var result: Result<OpenSSLSession.ReadResult, Failure> = .success(.needsInput)
        plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: recordSize) { bytes in
            result = Result { () throws(Failure) in try read(into: bytes) }
            if case .success(.bytes(let count)) = result { return count }
            return 0
        }
        switch try result.get() {
        case .bytes: return .bytes(plaintext)
        case .needsInput: return .needsInput
        case .closed: return .closed
        }
    }

    /// All that waits to be sent to the network; nil if nothing does.
    package func takeOutput(_ allocator: ByteBufferAllocator) -> ByteBuffer? {
        let count = pendingOutput
        guard count > 0 else { return nil }
        var output = allocator.buffer(capacity: count)
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in takeOutput(into: bytes) }
        return output
    }
}

/// The largest plaintext of a TLS record (RFC 8446 §5.1).
private let recordSize = 16_384
