/// Changes to the text of a session description.
enum DescriptionText {
    /// Without the candidates: they travel in lists of their own.
    static func withoutCandidates(_ text: String) -> String {
        mapLines(text) { line in
            line.hasPrefix("a=candidate:") || line.hasPrefix("a=end-of-candidates") ? nil : String(line)
        }
    }

    /// With our own certificate's fingerprint in every place: webrtcbin hashes certificate and key together when the
    /// certificate is given to it.
    static func with(fingerprint: Fingerprint, in text: String) -> String {
        mapLines(text) { line in
            line.hasPrefix("a=fingerprint:") ? "a=fingerprint:" + fingerprint.attribute : String(line)
        }
    }

    /// Every line mapped or, with nil, left out; CR LF between and after them.
    private static func mapLines(_ text: String, _ change: (Substring) -> String?) -> String {
        text.split(whereSeparator: \.isNewline).compactMap(change).map { $0 + "\r\n" }.joined()
    }
}
