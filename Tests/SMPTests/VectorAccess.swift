import Cryptography
import SMP
import TestSupport
import Testing

extension VectorValue {
    /// The bytes of a field that must be there.
    func data(_ key: String) throws -> [UInt8] { try #require(self[key].bytes, "\(key)") }

    func secret(_ key: String) throws -> SecretBytes { SecretBytes(try data(key)) }

    func text(_ key: String) throws -> String { try #require(self[key].string, "\(key)") }

    func number(_ key: String) throws -> Int { try #require(self[key].integer, "\(key)") }

    func flag(_ key: String) throws -> Bool { try #require(self[key].bool as Bool?, "\(key)") }

    func version(_ key: String) throws -> SMPVersion { SMPVersion(rawValue: UInt16(try number(key))) }

    func entity(_ key: String) throws -> EntityID { EntityID(try data(key)) }

    /// An entity that may be absent.
    func entityIfPresent(_ key: String) throws -> EntityID? { self[key].isNull ? nil : try entity(key) }

    /// A public key in DER.
    func agreementKey(_ key: String) throws -> X25519.PublicKey { try X25519.PublicKey(der: data(key)) }

    /// A public key in DER.
    func authenticationKey(_ key: String) throws -> AuthenticationPublicKey {
        try AuthenticationPublicKey(der: data(key))
    }

    /// A pair of raw X25519 keys.
    var agreementPair: X25519.PrivateKey {
        get throws { try X25519.PrivateKey(rawRepresentation: secret("private")) }
    }

    /// A pair of raw keys of the named algorithm.
    func authenticationPair(_ algorithm: String) throws -> AuthenticationPrivateKey {
        switch algorithm {
        case "ed25519": .ed25519(try Ed25519.PrivateKey(rawRepresentation: secret("private")))
        case "ed448": .ed448(try Ed448.PrivateKey(rawRepresentation: secret("private")))
        default: .x25519(try agreementPair)
        }
    }

    /// The versions a list of numbers names.
    var versions: [SMPVersion] { items.compactMap { $0.integer.map { SMPVersion(rawValue: UInt16($0)) } } }
}

/// The first `count` bytes starting with `first`: 00 01 02 …
func counting(_ count: Int, from first: UInt8 = 0) -> [UInt8] { (0..<count).map { first &+ UInt8($0 & 255) } }

/// Bytes of a literal that is correct hexadecimal.
func hex(_ text: String) throws -> [UInt8] { try #require([UInt8](hexadecimal: text)) }
