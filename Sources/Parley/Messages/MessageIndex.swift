import Calling

/// Which messages are kept, of whom, and which of them have been read: everything but what they say.
struct MessageIndex: Sendable, Equatable {
    /// How many messages are kept of a contact.
    static let limitOfContact = 200
    /// How many messages are kept in all.
    static let limitInAll = 10_000

    struct Entry: Sendable, Equatable {
        let number: Int64
        let key: MessageKey
        /// When it is to be removed, in seconds since 1970.
        var expiresAt: Int64?
    }

    /// In the order of their numbers.
    private(set) var entries: [ContactID: [Entry]] = [:]
    private(set) var count = 0
    /// Up to which number those of a contact have been read.
    private(set) var readUpTo: [ContactID: Int64]

    init(readUpTo: [ContactID: Int64] = [:]) { self.readUpTo = readUpTo }

    /// Takes a message with a number higher than all before.
    /// - Returns: The numbers that have to go for it.
    mutating func append(_ number: Int64, _ key: MessageKey) -> [Int64] {
        entries[key.contact, default: []].append(Entry(number: number, key: key))
        count += 1
        var gone: [Int64] = []
        if let own = entries[key.contact], own.count > Self.limitOfContact {
            gone = own.prefix(own.count - Self.limitOfContact).map(\.number)
            remove(Set(gone))
        }
        while count > Self.limitInAll, let oldest = entries.values.compactMap(\.first?.number).min() {
            gone.append(oldest)
            remove([oldest])
        }
        return gone
    }

    mutating func remove(_ numbers: Set<Int64>) {
        for (contact, own) in entries where own.contains(where: { numbers.contains($0.number) }) {
            let left = own.filter { !numbers.contains($0.number) }
            count -= own.count - left.count
            entries[contact] = left.isEmpty ? nil : left
        }
    }

    mutating func setExpiry(_ time: Int64, of number: Int64, _ contact: ContactID) {
        guard let index = entries[contact]?.firstIndex(where: { $0.number == number }) else { return }
        entries[contact]?[index].expiresAt = time
    }

    /// Whatever there is of a contact has been read.
    /// - Returns: Whether that is news.
    mutating func markRead(_ contact: ContactID) -> Bool {
        guard let last = entries[contact]?.last?.number, last > readUpTo[contact] ?? 0 else { return false }
        readUpTo[contact] = last
        return true
    }

    /// A contact is gone.
    mutating func forget(_ contact: ContactID) {
        count -= entries.removeValue(forKey: contact)?.count ?? 0
        readUpTo[contact] = nil
    }

    /// The message that a contact has given this identifier.
    func incoming(_ contact: ContactID, _ identifier: String) -> Entry? {
        guard !identifier.isEmpty else { return nil }
        return entries[contact]?.last { !$0.key.isOwn && $0.key.identifier == identifier }
    }

    /// The message written here that the agent knows by this number.
    func own(_ contact: ContactID, _ message: Int64) -> Entry? {
        entries[contact]?.last { $0.key.isOwn && $0.key.message == message }
    }

    /// How many messages of each contact nobody has read.
    var unread: [ContactID: Int] {
        entries.compactMapValues { own in
            let limit = own.first.flatMap { readUpTo[$0.key.contact] } ?? 0
            let count = own.count { !$0.key.isOwn && $0.number > limit }
            return count > 0 ? count : nil
        }
    }

    /// The next time at which something has to be removed.
    var nextExpiry: Int64? { entries.values.lazy.flatMap { $0 }.compactMap(\.expiresAt).min() }

    /// What is to be removed by now.
    func expired(at now: Int64) -> [Entry] {
        entries.values.flatMap { $0 }.filter { entry in entry.expiresAt.map { $0 <= now } ?? false }
    }
}
