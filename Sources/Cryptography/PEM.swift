/// The text form of certificates and keys (RFC 7468).
package enum PEM {
    /// What a block holds.
    package enum Label: String {
        case certificate = "CERTIFICATE"
        /// PKCS #8.
        case privateKey = "PRIVATE KEY"
    }

    /// One block.
    package static func encode(_ der: [UInt8], as label: Label) -> String {
        // RFC 7468 §2: standard alphabet, lines of 64.
        let standard = Base64URL.encode(der).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let lines = stride(from: 0, to: standard.count, by: 64)
            .map { String(standard[$0..<min($0 + 64, standard.count)]) }
        return label.beginning + "\n" + lines.joined(separator: "\n") + "\n" + label.end + "\n"
    }

    /// The bytes of the first blocks of a kind; what is between them is passed over.
    ///
    /// - Throws: `CryptographyError.invalidEncoding` for a block that is not base64.
    package static func decode(
        _ label: Label, in text: String, atMost limit: Int = .max
    ) throws(CryptographyError) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var body: String?
        for line in text.split(whereSeparator: \.isNewline) where blocks.count < limit {
            let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if words == label.beginning {
                body = ""
            } else if words == label.end, let complete = body {
                // Base64URL reads base64 once its two other characters are replaced.
                let text = String(complete.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
                guard let block = try? Base64URL.decode(text) else { throw .invalidEncoding }
                blocks.append(block)
                body = nil
            } else {
                body?.append(contentsOf: words.filter { $0 != " " })
            }
        }
        return blocks
    }
}

extension PEM.Label {
    fileprivate var beginning: String { "-----BEGIN \(rawValue)-----" }
    fileprivate var end: String { "-----END \(rawValue)-----" }
}
