/// How a description says that its writer follows the other's estimate of what may be sent (REMB, draft-alvestrand-rmcat-remb-03 §2.1), where
/// the other gives no feedback on each packet. GStreamer's library for descriptions knows no such line.
package enum EstimateAnnouncement {
    static let name = "goog-remb"

    /// The same text with the announcement for each format for which feedback on each packet is announced.
    package static func added(to text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).flatMap { line -> [String] in
            let parts = line.split(separator: " ")
            guard parts.count == 2, parts[0].hasPrefix("a=rtcp-fb:"), parts[1] == "transport-cc" else {
                return [String(line)]
            }
            return [String(line), "\(parts[0]) \(name)"]
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension PeerDescription {
    /// Whether the peer gives such estimates: an answer announces nothing that the offer did not.
    package var givesEstimates: Bool {
        description.media.contains { medium in
            medium.attributes.contains { $0.name == "rtcp-fb" && $0.value.hasSuffix(" " + EstimateAnnouncement.name) }
        }
    }
}
