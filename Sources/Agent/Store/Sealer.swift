import Cryptography

/// Seals the values of the store: AES-256-GCM with table, column and row as associated data, so that a sealed value
/// opens only where it was written.
///
/// Layout: version (1) · IV (12) · tag (16) · ciphertext.
struct Sealer: Sendable {
    /// Where a sealed value lives.
    struct Place: Sendable {
        var table: String
        var column: String
        var row: String

        var bytes: [UInt8] { Array("\(table).\(column):\(row)".utf8) }
    }

    private static let version: UInt8 = 1
    private static let initialisationVectorCount = 12
    private static let headCount = 1 + initialisationVectorCount + AESGCM.tagCount

    private let key: SecretBytes
    private let indexKey: SecretBytes

    /// Derives this store's own keys from the profile's key and the store's salt.
    ///
    /// - Throws: `StoreError.invalidKey` when `storeKey` is not 32 bytes long.
    init(storeKey: SecretBytes, salt: [UInt8]) throws {
        guard storeKey.count == 32 else { throw StoreError.invalidKey }
        key = HKDF.sha512(salt: salt, inputKey: storeKey, info: Array("Parley store seal".utf8), count: 32)
        indexKey = HKDF.sha512(salt: salt, inputKey: storeKey, info: Array("Parley store index".utf8), count: 32)
    }

    /// Seals `bytes` for one place.
    func seal(_ bytes: [UInt8], at place: Place) throws -> [UInt8] {
        let vector = randomBytes(Self.initialisationVectorCount)
        let sealed = try AESGCM.seal(bytes, key: key, iv: vector, authenticatedData: place.bytes)
        return [Self.version] + vector + sealed.tag + sealed.ciphertext
    }

    /// Seals a secret for one place; the copy made on the way is wiped.
    func seal(_ secret: SecretBytes, at place: Place) throws -> [UInt8] {
        try secret.withWipedCopy { try seal($0, at: place) }
    }

    /// Opens a secret; the copy made on the way is wiped.
    ///
    /// - Throws: `StoreError.damaged`.
    func openSecret(_ sealed: [UInt8], at place: Place) throws -> SecretBytes {
        SecretBytes(wiping: try open(sealed, at: place))
    }

    /// Opens what was sealed for this place.
    ///
    /// - Throws: `StoreError.damaged` when it was not, or not with this key.
    func open(_ sealed: [UInt8], at place: Place) throws -> [UInt8] {
        let head = Self.headCount
        guard sealed.count >= head, sealed.first == Self.version else {
            throw StoreError.damaged("\(place.table).\(place.column)")
        }
        let vector = Array(sealed[1..<(1 + Self.initialisationVectorCount)])
        let tag = Array(sealed[(1 + Self.initialisationVectorCount)..<head])
        do {
            return try AESGCM.open(
                Array(sealed[head...]), key: key, iv: vector, authenticatedData: place.bytes, tag: tag)
        } catch {
            throw StoreError.damaged("\(place.table).\(place.column)")
        }
    }

    /// A keyed fingerprint (16 bytes) for finding a value again without storing it.
    func fingerprint(_ bytes: [UInt8]) -> [UInt8] {
        let digest = HKDF.sha512(salt: Digest.sha256(bytes), inputKey: indexKey, info: [], count: 16)
        return digest.bytes
    }
}

extension SecretBytes {
    /// Takes over bytes that nobody else holds, and wipes them.
    init(wiping bytes: consuming [UInt8]) {
        var bytes = bytes
        self.init(bytes)
        wipe(&bytes)
    }

    /// Calls `body` with a copy that is wiped afterwards.
    func withWipedCopy<Value>(_ body: ([UInt8]) throws -> Value) rethrows -> Value {
        var copy = bytes
        defer { wipe(&copy) }
        return try body(copy)
    }
}
