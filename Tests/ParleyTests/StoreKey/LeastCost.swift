import Cryptography

extension PassphraseKey.Cost {
    /// As quick as it can be.
    static let least = Self(operations: 1, memory: 8 << 10)
}
