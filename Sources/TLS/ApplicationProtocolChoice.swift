/// Chooses the server's application protocol (RFC 7301 §3.2): the first of its own list that the client offers.
enum ApplicationProtocolChoice {
    /// Where the chosen name lies in `offered`; both lists are runs of length-prefixed names.
    static func find(known: [UInt8], offered: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let offers = names(Array(offered))
        for wanted in names(known) {
            let name = known[wanted]
            if let match = offers.first(where: { offered[$0].elementsEqual(name) }) { return match }
        }
        return nil
    }

    private static func names(_ list: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var position = 0
        while position < list.count {
            let start = position + 1
            let end = start + Int(list[position])
            guard end <= list.count, end > start else { break }
            ranges.append(start..<end)
            position = end
        }
        return ranges
    }
}
