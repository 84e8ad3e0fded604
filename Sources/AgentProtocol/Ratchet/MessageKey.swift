import Cryptography

/// The key of one message's body.
package struct MessageKey: Sendable, Equatable {
    /// 32 bytes for AES-256.
    package let key: SecretBytes
    /// 16 bytes.
    package let iv: [UInt8]
}
