import COpenSSL

/// Hash functions of FIPS 180-4 and FIPS 202.
public enum Digest {
    /// SHA-256: 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, EVP_sha256(), count: 32) }

    /// SHA-512: 64 bytes.
    public static func sha512(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, EVP_sha512(), count: 64) }

    /// SHA3-256: 32 bytes.
    // The name of FIPS 202; without the underscore it would read as SHA-3256.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func sha3_256(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, EVP_sha3_256(), count: 32) }

    /// SHA3-384: 48 bytes.
    // The name of FIPS 202; without the underscore it would read as SHA-3256.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func sha3_384(_ bytes: [UInt8]) -> [UInt8] { hash(bytes, EVP_sha3_384(), count: 48) }

    private static func hash(_ bytes: [UInt8], _ algorithm: OpaquePointer?, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { output, written in
            let done = EVP_Digest(bytes, bytes.count, output.baseAddress, nil, algorithm, nil)
            // Fails only without memory or without the default provider, never because of the input.
            precondition(done == 1, "OpenSSL cannot hash")
            written = count
        }
    }
}
