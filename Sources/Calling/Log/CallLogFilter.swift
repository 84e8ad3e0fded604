import Foundation
import Signaling

/// Which calls of the log are meant. Every condition that is set has to hold.
public struct CallLogFilter: Sendable, Hashable {
    /// Calls with any of these contacts; nil is everybody.
    public var contacts: Set<ContactID>?
    /// Calls that began on this side, or on the other; nil is both.
    public var direction: CallDirection?
    /// Calls with these results; nil is every one.
    public var results: Set<CallResult>?
    /// Calls with sound only, or with picture; nil is both.
    public var media: CallMedia?
    /// Calls that began at this time or later, in seconds since 1970.
    public var since: Int64?
    /// Calls that began before this time, in seconds since 1970.
    public var until: Int64?
    /// Only calls that came in and that nobody here took or declined.
    public var onlyMissed = false

    /// Every call.
    public init() {}

    /// Whether a call with this key is meant.
    public func matches(_ key: CallRecordKey) -> Bool {
        matches(contacts: key.contacts) && matches(key.direction, key.media, key.result, key.startedAt)
    }

    /// Whether a call with these contacts is meant.
    func matches(contacts parties: [ContactID]) -> Bool {
        contacts.map { wanted in parties.contains(where: wanted.contains) } ?? true
    }

    /// The same for all but the contact.
    func matches(
        _ direction: CallDirection, _ media: CallMedia, _ result: CallResult, _ startedAt: Int64
    ) -> Bool {
        if let wanted = self.direction, wanted != direction { return false }
        if let wanted = self.media, wanted != media { return false }
        if let results, !results.contains(result) { return false }
        if onlyMissed, !result.isMissed(direction) { return false }
        if let since, startedAt < since { return false }
        if let until, startedAt >= until { return false }
        return true
    }
}

/// A text that the name of a contact has to have in it, then or now; upper and lower case and accents count for nothing.
public struct CallLogText: Sendable, Hashable {
    private let wanted: String
    /// The contacts whose present names have it.
    private let contacts: Set<ContactID>

    /// Nil for a text without anything to look for.
    /// - Parameter names: what contacts are called now.
    public init?(_ text: String, names: [ContactID: String]) {
        let wanted = Self.folded(text.trimmingCharacters(in: .whitespacesAndNewlines))
        guard !wanted.isEmpty else { return nil }
        self.wanted = wanted
        contacts = Set(names.filter { Self.folded($0.value).contains(wanted) }.keys)
    }

    /// Whether a call with these contacts, who were called so, is meant.
    public func matches(_ parties: [ContactID], called name: String) -> Bool {
        parties.contains(where: contacts.contains) || Self.folded(name).contains(wanted)
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
