/// Links that were handed to the program, of which the person is asked about one at a time, in order.
struct LinkQueue: Equatable {
    /// How many may wait.
    static let maximumCount = 8
    /// Bytes of a link; what is longer is none.
    static let maximumBytes = 65_536

    private var waiting: [String] = []
    private var current: String?

    /// Takes links; gives how many there was no room for. One that waits already, or is asked about, is not taken twice.
    mutating func add(_ links: [String]) -> Int {
        var refused = 0
        for text in links {
            // What is no link takes no room, and is still said to be none.
            let link = text.utf8.count <= Self.maximumBytes ? text.trimmed : ""
            if link == current || waiting.contains(link) { continue }
            if waiting.count < Self.maximumCount { waiting.append(link) } else { refused += 1 }
        }
        return refused
    }

    /// The next link to ask about; nil while there is none, or the person is being asked.
    mutating func begin() -> String? {
        guard current == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current
    }

    /// The person has decided about the present one.
    mutating func end() { current = nil }

    /// The person could not be asked about the present one: it is the next again.
    mutating func putBack() {
        if let current { waiting.insert(current, at: 0) }
        current = nil
    }

    /// All that the person has not decided about.
    var all: [String] { [current].compactMap(\.self) + waiting }
}
