/// The profiles that a program knows of, which of them are open, and which one it shows: a value that says what is to be done.
///
/// - One profile at a time is shown; it is open. Others that are open receive calls and messages as well.
/// - A profile that is closed stays known and receives nothing.
/// - A new profile is a draft until the person has begun it. A draft that they turn away from is forgotten.
/// - A profile that is to be removed is marked first, then wiped, and forgotten once nothing of it is left. So a crash in between is made
///   good at the next start.
/// - There is always a profile that is shown and not marked: the last one is neither closed nor removed.
public struct ProfileShelf: Equatable, Sendable {
    /// The most profiles at once.
    public static let mostProfiles = 16
    /// The highest number of a profile.
    static let highestNumber = 9_999

    /// How a profile stands.
    public enum Standing: String, Equatable, Sendable, CaseIterable {
        /// It has not been begun.
        case draft
        /// It receives calls, as far as its account can be opened.
        case open
        /// It receives nothing.
        case closed
        /// It is being removed.
        case leaving
    }

    /// One profile.
    public struct Item: Equatable, Sendable, Identifiable {
        /// Its number, which says its folder and stays: 1 is the first.
        public let id: Int
        /// The name it had last; empty where that is not known.
        public internal(set) var name: String
        /// How it stands.
        public internal(set) var standing: Standing
    }

    /// What is to be done, in this order.
    public enum Effect: Equatable, Sendable {
        /// Remember the profiles as they are now.
        case keep
        /// Open the account of a profile, or prepare a new one.
        case open(Int)
        /// Show a profile, which is open.
        case show(Int)
        /// Close the account of a profile.
        case close(Int)
        /// Remove all that there is of a profile; then ``ProfileShelf/wiped(_:)``.
        case wipe(Int)
    }

    /// All profiles, oldest first.
    public private(set) var items: [Item]
    /// The number of the one that is shown.
    public private(set) var shown: Int

    /// A person with one profile.
    public init() { (items, shown) = ([Item(id: 1, name: "", standing: .open)], 1) }

    /// What is known of them; nil where that makes no sense. A profile that can't be shown is not.
    init?(_ items: [Item], shown: Int) {
        let here = items.filter { $0.standing == .open || $0.standing == .closed }
        guard items.allSatisfy({ (1...Self.highestNumber).contains($0.id) && $0.standing != .draft }),
            Set(items.map(\.id)).count == items.count, items.count <= Self.mostProfiles, let first = here.first
        else { return nil }
        self.items = items
        if here.contains(where: { $0.id == shown && $0.standing == .open }) {
            self.shown = shown
        } else {
            self.shown = here.first { $0.standing == .open }?.id ?? first.id
            set(self.shown, .open)
        }
    }

    /// Whether there is nothing to remember: one profile, the first.
    var isPlain: Bool { shown == 1 && items.map(\.id) == [1] && items[0].standing == .open }

    /// A profile of this number, if there is one.
    public subscript(id: Int) -> Item? { items.first { $0.id == id } }

    /// Those that are open, drafts included.
    public var open: [Int] { items.filter { $0.standing == .open || $0.standing == .draft }.map(\.id) }

    /// Whether a profile could be closed: it is open, and so is another one.
    public func canClose(_ id: Int) -> Bool {
        self[id]?.standing == .open && items.contains { $0.id != id && $0.standing == .open }
    }

    /// Whether a profile could be removed: there is another one.
    public func canRemove(_ id: Int) -> Bool { self[id].map(Self.isHere) == true && next(after: id) != nil }

    // MARK: What happens

    /// The program begins.
    public func start() -> [Effect] {
        [.open(shown), .show(shown)] + open.filter { $0 != shown }.map { .open($0) }
            + items.filter { $0.standing == .leaving }.map { .wipe($0.id) }
    }

    /// The person wants a new profile; `taken` are numbers whose folders have something in them already.
    /// - Throws: ``ShelfFault/tooMany``.
    public mutating func make(besides taken: Set<Int> = []) throws(ShelfFault) -> [Effect] {
        if let draft = items.first(where: { $0.standing == .draft }) { return try show(draft.id) }
        let free = (2...Self.highestNumber).first { id in !taken.contains(id) && self[id] == nil }
        guard items.count < Self.mostProfiles, let free else { throw .tooMany }
        items.append(Item(id: free, name: "", standing: .draft))
        shown = free
        return [.open(free), .show(free)]
    }

    /// A new profile has been begun.
    public mutating func begun(_ id: Int) -> [Effect] {
        guard self[id]?.standing == .draft else { return [] }
        set(id, .open)
        return [.keep]
    }

    /// The person wants to see a profile; one that is closed is opened.
    /// - Throws: ``ShelfFault/unknown``.
    public mutating func show(_ id: Int) throws(ShelfFault) -> [Effect] {
        guard let item = self[id], item.standing != .leaving else { throw .unknown }
        guard id != shown else { return [] }
        let left = shown
        shown = id
        var effects: [Effect] = []
        if item.standing == .closed {
            set(id, .open)
            effects.append(.open(id))
        }
        return effects + [.show(id)] + forgetDraft(left) + [.keep]
    }

    /// The person wants a profile to receive nothing.
    /// - Throws: ``ShelfFault/unknown`` when it is not open, ``ShelfFault/last``.
    public mutating func close(_ id: Int) throws(ShelfFault) -> [Effect] {
        guard self[id]?.standing == .open else { throw .unknown }
        guard let other = items.first(where: { $0.id != id && $0.standing == .open }) else { throw .last }
        set(id, .closed)
        return turn(from: id, to: other.id) + [.close(id), .keep]
    }

    /// The person wants nothing of a profile to be left.
    /// - Throws: ``ShelfFault/unknown``, ``ShelfFault/last``.
    public mutating func remove(_ id: Int) throws(ShelfFault) -> [Effect] {
        guard let item = self[id], Self.isHere(item) else { throw .unknown }
        guard let other = next(after: id) else { throw .last }
        let wasOpen = item.standing == .open
        set(id, .leaving)
        var effects: [Effect] = []
        if self[other]?.standing == .closed {
            set(other, .open)
            effects.append(.open(other))
        }
        effects += turn(from: id, to: other)
        // First of all: from now on nothing opens it any more.
        return [.keep] + effects + (wasOpen ? [.close(id)] : []) + [.wipe(id)]
    }

    /// Nothing of a profile is left.
    public mutating func wiped(_ id: Int) -> [Effect] {
        guard self[id]?.standing == .leaving else { return [] }
        items.removeAll { $0.id == id }
        return [.keep]
    }

    /// A profile has this name now.
    public mutating func named(_ id: Int, _ name: String) -> [Effect] {
        let name = DisplayName.cleaned(name) ?? ""
        guard let place = items.firstIndex(where: { $0.id == id }), items[place].name != name else { return [] }
        items[place].name = name
        return items[place].standing == .draft ? [] : [.keep]
    }

    private static func isHere(_ item: Item) -> Bool { item.standing == .open || item.standing == .closed }

    /// What is shown when a profile is there no more.
    private func next(after id: Int) -> Int? {
        let others = items.filter { $0.id != id && Self.isHere($0) }
        return (others.first { $0.standing == .open } ?? others.first)?.id
    }

    private mutating func turn(from id: Int, to other: Int) -> [Effect] {
        guard shown == id else { return [] }
        shown = other
        return [.show(other)]
    }

    private mutating func forgetDraft(_ id: Int) -> [Effect] {
        guard self[id]?.standing == .draft else { return [] }
        items.removeAll { $0.id == id }
        return [.close(id)]
    }

    private mutating func set(_ id: Int, _ standing: Standing) {
        guard let place = items.firstIndex(where: { $0.id == id }) else { return }
        items[place].standing = standing
    }
}

/// Why something can't be done to a profile of a program.
public enum ShelfFault: Error, Equatable, Sendable {
    /// There are as many profiles as a program takes.
    case tooMany
    /// There is no such profile, or it does not stand so that this could be done.
    case unknown
    /// It is the only one.
    case last
}
