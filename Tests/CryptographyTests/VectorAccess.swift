import Cryptography
import TestSupport
import Testing

extension VectorValue {
    /// The bytes of a field that must be there.
    func data(_ key: String) throws -> [UInt8] { try #require(self[key].bytes, "\(key)") }

    func secret(_ key: String) throws -> SecretBytes { SecretBytes(try data(key)) }

    func text(_ key: String) throws -> String { try #require(self[key].string, "\(key)") }

    func number(_ key: String) throws -> Int { try #require(self[key].integer, "\(key)") }
}

/// Bytes of a literal that is correct hexadecimal.
func hex(_ text: String) throws -> [UInt8] { try #require([UInt8](hexadecimal: text)) }
