/// How a description announces what its writer wants to be told beside reports: attributes of the session level, which other programs pass
/// over (RFC 8866 §5.13).
package enum ViewAnnouncement {
    /// At which size its camera is shown.
    static let name = "x-parley-view"
    /// Which of the other's sources are on.
    static let statementName = "x-parley-state"
    static let version = "1"

    /// The same text with the announcements.
    package static func added(to text: String) -> String {
        var lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("m=") }) else { return text }
        lines.insert(contentsOf: [name, statementName].map { "a=\($0):\(version)" }, at: first)
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension PeerDescription {
    /// Whether the peer wants to be told at which size its camera is shown.
    package var takesView: Bool { announces(ViewAnnouncement.name) }

    /// Whether the peer wants to be told which of our sources are on.
    package var takesStatements: Bool { announces(ViewAnnouncement.statementName) }

    private func announces(_ name: String) -> Bool {
        description.sessionAttributes.contains { $0.name == name && $0.value == ViewAnnouncement.version }
    }
}
