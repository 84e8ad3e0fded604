/// The payload types of a description of ours: what it promises of the packets both ways.
package struct PayloadTypes: Sendable, Equatable {
    /// All that its m-lines list.
    package let listed: Set<Int>
    /// The clock rates of those that its m-lines map, in Hz (RFC 8866 §6.6).
    package let clockRates: [Int: Int]

    /// Reads them from the description's text.
    package init(of text: String) throws(DescriptionError) {
        let media = try SessionDescription(parsing: text).media
        listed = Set(media.flatMap { $0.formats.compactMap { Int($0) } })
        var rates: [Int: Int] = [:]
        for value in media.flatMap({ $0.values(of: "rtpmap") }) {
            let words = value.split(separator: " ", maxSplits: 1)
            let encoding = words.last?.split(separator: "/") ?? []
            if words.count == 2, encoding.count >= 2, let type = Int(words[0]), let rate = Int(encoding[1]) {
                rates[type] = rate
            }
        }
        clockRates = rates
    }
}
