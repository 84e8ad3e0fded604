import Cryptography

/// The keys of one direction: each block takes the next (SMP fact sheet §5).
struct BlockKeyChain: Sendable {
    private static let info = Array("SimpleXSbChain".utf8)

    private var chainKey: SecretBytes

    init(_ chainKey: SecretBytes) { self.chainKey = chainKey }

    /// Key and nonce of the next block.
    mutating func next() throws -> (key: SecretBytes, nonce: [UInt8]) {
        let output = HKDF.sha512(salt: [], inputKey: chainKey, info: Self.info, count: 88)
        chainKey = try output.part(0..<32)
        return (try output.part(32..<64), try output.part(64..<88).bytes)
    }
}

/// Makes blocks of payloads and payloads of blocks, for one connection, in both directions.
///
/// A value without I/O: blocks must be given in the order of the wire.
public struct BlockCipher: Sendable {
    /// Which end of the connection this is.
    public enum Side: Sendable {
        case client
        case server
    }

    private var sending: BlockKeyChain?
    private var receiving: BlockKeyChain?

    /// Pads only: hellos, versions below 11, and a proxy's connections to relays.
    public init() {}

    /// Encrypts with keys from the session's secret.
    ///
    /// - Parameters:
    ///   - sessionID: the client's TLS Finished.
    ///   - secret: X25519 of the client hello's key and the relay's signed key.
    /// - Throws: nothing in practice; an error of Cryptography if a key could not be cut.
    public init(sessionID: [UInt8], secret: SecretBytes, side: Side) throws {
        let info = Array("SimpleXSbChainInit".utf8)
        let output = HKDF.sha512(salt: sessionID, inputKey: secret, info: info, count: 64)
        let fromServer = BlockKeyChain(try output.part(0..<32))
        let fromClient = BlockKeyChain(try output.part(32..<64))
        switch side {
        case .client: (sending, receiving) = (fromClient, fromServer)
        case .server: (sending, receiving) = (fromServer, fromClient)
        }
    }

    /// Whether blocks are encrypted.
    package var encrypts: Bool { sending != nil }

    /// The longest payload of one block.
    package var payloadLimit: Int { (encrypts ? SMPLimits.encryptedBlock : SMPLimits.block) - Padding.lengthCount }

    /// The next block to send, 16,384 bytes.
    ///
    /// - Throws: `SMPEncodingError.tooLong`; the key chain stays where it was.
    public mutating func seal(_ payload: [UInt8]) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: SMPLimits.block) { output, written in
            let block = UnsafeMutableRawBufferPointer(output)[..<SMPLimits.block]
            try seal(payload, into: UnsafeMutableRawBufferPointer(rebasing: block))
            written = SMPLimits.block
        }
    }

    /// Makes the next block where it will be sent from.
    ///
    /// - Parameter block: 16,384 bytes (anything else is a programming error).
    /// - Throws: `SMPEncodingError.tooLong`; the key chain stays where it was.
    public mutating func seal(_ payload: [UInt8], into block: UnsafeMutableRawBufferPointer) throws {
        precondition(block.count == SMPLimits.block, "a block has \(SMPLimits.block) bytes")
        guard var chain = sending else { return try Padding.pad(payload, into: block) }
        guard payload.count <= payloadLimit else { throw SMPEncodingError.tooLong }
        let (key, nonce) = try chain.next()
        sending = chain
        try Padding.seal(payload, into: block, secret: key, nonce: nonce)
    }

    /// The payload of the next block received; the key chain moves even when this throws.
    ///
    /// - Throws: `SMPDecodingError.invalidBlockSize`, `.decryptionFailed`, or `.truncated` for a wrong inner length.
    public mutating func open(_ block: [UInt8]) throws -> [UInt8] {
        try block.withUnsafeBytes { try open($0) }
    }

    /// The payload of the next block, read where it was received.
    ///
    /// - Throws: as above.
    public mutating func open(_ block: UnsafeRawBufferPointer) throws -> [UInt8] {
        let keys = try receiving?.next()
        guard block.count == SMPLimits.block else { throw SMPDecodingError.invalidBlockSize }
        guard let keys else { return try Padding.unpad(Array(block)) }
        guard let padded = try? CryptoBox.open(block, secret: keys.key, nonce: keys.nonce) else {
            throw SMPDecodingError.decryptionFailed
        }
        return try Padding.unpad(padded)
    }
}
