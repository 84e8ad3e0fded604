extension PeerDescription {
    /// Whether it says that it tells of each packet of pictures what becomes of it
    /// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
    package var givesFeedback: Bool {
        description.media.contains { medium in
            medium.knownExtensions.values.contains(HeaderExtension.feedback)
                && medium.attributes.contains { $0.name == "rtcp-fb" && $0.value.hasSuffix(" transport-cc") }
        }
    }
}
