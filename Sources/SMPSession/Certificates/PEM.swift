import Cryptography

/// The text form of certificates and keys (RFC 7468).
package enum PEM {
    package static func encode(certificate der: [UInt8]) -> String { encode(der, label: "CERTIFICATE") }

    package static func encode(_ key: AuthenticationPrivateKey) -> String {
        encode(key.derRepresentation.bytes, label: "PRIVATE KEY")
    }

    /// All certificates of a file.
    package static func certificates(in text: String, file: String) throws(TransportError) -> [[UInt8]] {
        let found = try decode(text, label: "CERTIFICATE", file: file)
        guard found.allSatisfy({ X509Handle(der: $0) != nil }) else { throw .credentials("\(file) is malformed") }
        return found
    }

    /// The one key of a file.
    package static func privateKey(in text: String, file: String) throws(TransportError) -> AuthenticationPrivateKey {
        let found = try decode(text, label: "PRIVATE KEY", file: file)
        guard let der = found.first, found.count == 1, let key = try? AuthenticationPrivateKey(der: der) else {
            throw .credentials("\(file) does not hold one Ed25519 or Ed448 key")
        }
        return key
    }

    private static func encode(_ bytes: [UInt8], label: String) -> String {
        // RFC 7468 §2: standard alphabet, lines of 64.
        let standard = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let lines = stride(from: 0, to: standard.count, by: 64)
            .map { String(standard[$0..<min($0 + 64, standard.count)]) }
        return "-----BEGIN \(label)-----\n" + lines.joined(separator: "\n") + "\n-----END \(label)-----\n"
    }

    private static func decode(_ text: String, label: String, file: String) throws(TransportError) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var body: String?
        for line in text.split(whereSeparator: \.isNewline) {
            if line == "-----BEGIN \(label)-----" {
                body = ""
            } else if line == "-----END \(label)-----", let complete = body {
                let alphabet = String(complete.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
                guard let bytes = try? Base64URL.decode(alphabet) else { throw .credentials("\(file) is malformed") }
                blocks.append(bytes)
                body = nil
            } else if body != nil {
                body?.append(contentsOf: line)
            }
        }
        return blocks
    }
}
