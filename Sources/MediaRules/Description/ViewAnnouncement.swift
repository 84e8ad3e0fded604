/// How a description announces that its writer wants to be told at which size its camera is shown: an attribute of the session level,
/// which other programs pass over (RFC 8866 §5.13).
package enum ViewAnnouncement {
    static let name = "x-parley-view"
    static let version = "1"

    /// The same text with the announcement.
    package static func added(to text: String) -> String {
        var lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("m=") }) else { return text }
        lines.insert("a=\(name):\(version)", at: first)
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension PeerDescription {
    /// Whether the peer wants to be told at which size its camera is shown.
    package var takesView: Bool {
        description.sessionAttributes.contains {
            $0.name == ViewAnnouncement.name && $0.value == ViewAnnouncement.version
        }
    }
}
