import BaseKit

/// What a call tells the person, as long as it is news.
struct NoticeBoard {
    /// How long a sentence is shown.
    static let duration = Duration.seconds(20)
    /// How many are shown at a time: the newest.
    static let limit = 3

    private var known = 0
    private var notices: [(sentence: String, since: Instant)] = []

    init() {}

    /// Adds from all sentences of the call so far; only those are news that were not among them before.
    mutating func add(_ sentences: [String], at now: Instant) {
        for sentence in sentences.dropFirst(known) {
            notices.removeAll { $0.sentence == sentence }
            notices.append((sentence, now))
        }
        known = max(known, sentences.count)
    }

    /// What is to be shown, the newest last.
    func shown(at now: Instant) -> [String] {
        notices.suffix(Self.limit).filter { now - $0.since < Self.duration }.map(\.sentence)
    }
}
