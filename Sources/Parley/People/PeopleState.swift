import Calling

/// What an account knows of people beside the book of contacts.
struct PeopleState {
    /// What was put on those who ask, by the number of the request.
    var requestLabels: [Int64: [ContactLabel]] = [:]
    /// Contacts to whom the profile is being sent.
    var telling: Set<ContactID> = []
    /// The messages that took the profile to contacts and are not settled.
    private var profileMessages: [ContactID: Int64] = [:]
    /// How many pictures were not taken.
    private(set) var refusedPictures = 0
    /// Which removal took a contact out of sight last, as long as it can be undone.
    private var removals: [ContactID: Int] = [:]
    private var lastRemoval = 0
    /// Waits for calls that end.
    var lastCalls: Task<Void, Never>?

    /// How long a note about a contact may be, in characters.
    static let longestNote = 4_000

    /// Contacts are taken out of sight; gives the number of this removal.
    mutating func beginRemoval(of ids: Set<ContactID>) -> Int {
        lastRemoval += 1
        for id in ids { removals[id] = lastRemoval }
        return lastRemoval
    }

    /// The number of the removal that took a contact out of sight last; nil for one that nothing did, or who was brought back.
    func removal(of id: ContactID) -> Int? { removals[id] }

    /// A removal can't be undone any more, or was.
    mutating func endRemoval(of id: ContactID) { removals[id] = nil }

    mutating func noteProfile(_ number: Int64, _ id: ContactID) { profileMessages[id] = number }

    /// - Returns: Whether it was the message that took the profile there last.
    @discardableResult
    mutating func settleProfile(_ number: Int64, _ id: ContactID) -> Bool {
        guard profileMessages[id] == number else { return false }
        profileMessages[id] = nil
        return true
    }

    mutating func countRefusedPicture() { refusedPictures += 1 }
}
