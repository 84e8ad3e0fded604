import COpenSSL

/// What OpenSSL needs to know of a curve: its number, the length of its raw keys, and the DER that goes before them.
public struct KeyParameters: Sendable {
    let identifier: Int32
    let rawCount: Int
    /// SubjectPublicKeyInfo up to the raw public key (RFC 8410 §4).
    let publicPrefix: [UInt8]
    /// PKCS #8 up to the raw private key (RFC 8410 §7).
    let privatePrefix: [UInt8]

    /// RFC 8410 §3: the four algorithms differ in the last byte of 1.3.101.x only.
    init(identifier: Int32, rawCount: Int, objectIdentifier: UInt8) {
        self.identifier = identifier
        self.rawCount = rawCount
        let algorithm: [UInt8] = [0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, objectIdentifier]
        let count = UInt8(rawCount)
        publicPrefix = [0x30, count + 10] + algorithm + [0x03, count + 1, 0x00]
        privatePrefix = [0x30, count + 14, 0x02, 0x01, 0x00] + algorithm + [0x04, count + 2, 0x04, count]
    }

    /// The raw key inside a DER encoding that must be exactly prefix and key.
    func rawKey(in der: [UInt8], after prefix: [UInt8]) throws -> [UInt8] {
        guard der.count == prefix.count + rawCount, der.starts(with: prefix) else {
            throw CryptographyError.invalidKey
        }
        return Array(der.dropFirst(prefix.count))
    }
}

/// Owns an `EVP_PKEY`.
// OpenSSL counts references atomically and the key is never changed after it was made, so sharing it is safe.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(adopting pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    convenience init(_ parameters: KeyParameters, privateKey: SecretBytes) throws {
        guard privateKey.count == parameters.rawCount else { throw CryptographyError.invalidKey }
        let pointer = privateKey.withUnsafeBytes {
            EVP_PKEY_new_raw_private_key(
                parameters.identifier, nil, $0.assumingMemoryBound(to: UInt8.self).baseAddress, $0.count)
        }
        guard let pointer else { throw CryptographyError.invalidKey }
        self.init(adopting: pointer)
    }

    convenience init(_ parameters: KeyParameters, publicKey: [UInt8]) throws {
        guard publicKey.count == parameters.rawCount,
            let pointer = EVP_PKEY_new_raw_public_key(parameters.identifier, nil, publicKey, publicKey.count)
        else { throw CryptographyError.invalidKey }
        self.init(adopting: pointer)
    }

    /// The raw public key; OpenSSL computes it once when the key is made.
    func publicKey(_ parameters: KeyParameters) throws -> [UInt8] {
        var raw = [UInt8](repeating: 0, count: parameters.rawCount)
        var count = raw.count
        guard EVP_PKEY_get_raw_public_key(pointer, &raw, &count) == 1, count == raw.count else {
            throw CryptographyError.unavailable("EVP_PKEY_get_raw_public_key")
        }
        return raw
    }
}
