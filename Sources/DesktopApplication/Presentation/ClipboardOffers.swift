/// Which texts of the clipboard are offered to be opened: links, each once.
struct ClipboardOffers: Equatable {
    /// Bytes of the longest text that is looked at; links are shorter.
    static let maximumBytes = LinkQueue.maximumBytes
    /// How many links are remembered as known.
    static let maximumCount = 64

    private var known: [String] = []

    /// The link in a text that is one and nothing else, if it is not known yet; it is from now on.
    mutating func newLink(in text: String, isLink: (String) -> Bool) -> String? {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let link = text.trimmed
        guard !known.contains(link), isLink(link) else { return nil }
        note(link)
        return link
    }

    /// The person knows this link: it is not offered.
    mutating func note(_ link: String) {
        known.removeAll { $0 == link }
        known.append(link)
        if known.count > Self.maximumCount { known.removeFirst() }
    }
}
