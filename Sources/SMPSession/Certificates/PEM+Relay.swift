import Cryptography

// The files of a relay's certificates.
extension PEM {
    package static func encode(certificate der: [UInt8]) -> String { encode(der, as: .certificate) }

    package static func encode(_ key: AuthenticationPrivateKey) -> String {
        encode(key.derRepresentation.bytes, as: .privateKey)
    }

    /// All certificates of a file.
    package static func certificates(in text: String, file: String) throws(TransportError) -> [[UInt8]] {
        let found = try blocks(.certificate, text, file)
        guard found.allSatisfy({ X509Handle(der: $0) != nil }) else { throw .credentials(.malformed(file: file)) }
        return found
    }

    /// The one key of a file.
    package static func privateKey(in text: String, file: String) throws(TransportError) -> AuthenticationPrivateKey {
        let found = try blocks(.privateKey, text, file)
        guard let der = found.first, found.count == 1, let key = try? AuthenticationPrivateKey(der: der) else {
            throw .credentials(.noKey(file: file))
        }
        return key
    }

    private static func blocks(_ label: Label, _ text: String, _ file: String) throws(TransportError) -> [[UInt8]] {
        do throws(CryptographyError) {
            return try decode(label, in: text)
        } catch {
            throw .credentials(.malformed(file: file))
        }
    }
}
