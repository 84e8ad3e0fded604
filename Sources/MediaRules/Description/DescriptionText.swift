/// Changes to the text of a session description.
package enum DescriptionText {
    /// Without the candidates: they travel in lists of their own.
    package static func withoutCandidates(_ text: String) -> String {
        mapLines(text) { line in
            line.hasPrefix("a=candidate:") || line.hasPrefix("a=end-of-candidates") ? nil : String(line)
        }
    }

    /// With our own certificate's fingerprint in every place: webrtcbin hashes certificate and key together when the
    /// certificate is given to it.
    package static func with(fingerprint: Fingerprint, in text: String) -> String {
        mapLines(text) { line in
            line.hasPrefix("a=fingerprint:") ? "a=fingerprint:" + fingerprint.attribute : String(line)
        }
    }

    /// Without the addresses that the origin, the connection lines and `a=rtcp` name: candidates tell where to send, and a
    /// relay-only call must not tell more. (RFC 8866 §5.2, §5.7; RFC 3605 §2.1)
    package static func withoutAddresses(_ text: String) -> String {
        mapLines(text) { line in
            guard line.hasPrefix("o=") || line.hasPrefix("c=") || line.hasPrefix("a=rtcp:") else { return String(line) }
            var fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 3, fields[fields.count - 3].hasSuffix("IN") else { return String(line) }
            fields[fields.count - 1] = fields[fields.count - 2] == "IP6" ? "::" : "0.0.0.0"
            return fields.joined(separator: " ")
        }
    }

    /// Every line mapped or, with nil, left out; CR LF between and after them.
    private static func mapLines(_ text: String, _ change: (Substring) -> String?) -> String {
        text.split(whereSeparator: \.isNewline).compactMap(change).map { $0 + "\r\n" }.joined()
    }
}
