import BaseKit

/// What one end of a call tells the other of its own sources, numbered so that an old word never replaces a newer one.
package struct MediaStatement: Sendable, Hashable {
    /// How many changes there have been in the call; the higher number is the newer word.
    package var number: UInt32
    package var content: Content

    package init(number: UInt32, content: Content) { (self.number, self.content) = (number, content) }

    /// Which sources are on.
    package struct Content: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let microphone = Content(rawValue: 1 << 0)
        package static let camera = Content(rawValue: 1 << 1)
        package static let screen = Content(rawValue: 1 << 2)
        package static let screenSound = Content(rawValue: 1 << 3)
        /// The person has put the call on hold: nothing leaves, whatever else is on.
        package static let held = Content(rawValue: 1 << 4)
        /// The network carries too little for the camera's pictures.
        package static let slowLink = Content(rawValue: 1 << 5)

        /// All that this version knows. The rest is of later ones, and passed over.
        package static let known: Content = [.microphone, .camera, .screen, .screenSound, .held, .slowLink]
    }
}

/// The own sources, as they are told: the same is told under the same number, over however many transports.
package struct OwnStatement: Sendable, Equatable {
    private var latest: MediaStatement?

    package init() {}

    /// What to tell while the own sources are so.
    package mutating func update(_ content: MediaStatement.Content) -> MediaStatement {
        if let latest, latest.content == content { return latest }
        let next = MediaStatement(number: (latest?.number ?? 0) &+ 1, content: content)
        latest = next
        return next
    }
}

/// When a statement is to be told on one transport: at once when it is another, a few times more as a packet may be lost, and again after a
/// while.
package struct StatementNews: Sendable, Equatable {
    /// The shortest time between two that differ.
    static let pause: Duration = .milliseconds(50)
    /// The time after which the same is told again: soon at first, then now and then.
    static let repeats: [Duration] = [.milliseconds(100), .milliseconds(200), .milliseconds(400), .seconds(1)]
    static let again: Duration = .seconds(5)

    private var statement: MediaStatement?
    private var told: Told?

    private struct Told: Sendable, Equatable {
        var statement: MediaStatement
        var at: Instant
        /// How often it has been told again.
        var count: Int
    }

    package init() {}

    /// This is to be told from now on.
    package mutating func say(_ statement: MediaStatement) { self.statement = statement }

    /// What to tell now; nil: nothing.
    package mutating func next(now: Instant) -> MediaStatement? {
        guard let statement else { return nil }
        var count = 0
        if let told {
            let isSame = told.statement == statement
            let wait =
                !isSame ? Self.pause : told.count < Self.repeats.count ? Self.repeats[told.count] : Self.again
            guard now - told.at >= wait else { return nil }
            count = isSame ? told.count + 1 : 0
        }
        told = Told(statement: statement, at: now, count: count)
        return statement
    }
}

/// What the peer says of its sources: the newest counts, and changes no more often than a person would see.
struct HeardStatement: Sendable, Equatable {
    /// The shortest time between two changes.
    static let pause: Duration = .milliseconds(100)

    /// What holds now; nil before the first word.
    private(set) var content: MediaStatement.Content?
    private var newest: MediaStatement?
    private var changedAt: Instant?

    /// Takes a word. One that is not newer than the last changes nothing.
    mutating func hear(_ statement: MediaStatement, now: Instant) {
        if let newest, statement.number <= newest.number { return }
        newest = statement
        look(now: now)
    }

    /// Lets a word count that came too soon after the one before.
    mutating func look(now: Instant) {
        guard let newest, newest.content.intersection(.known) != content,
            changedAt.map({ now - $0 >= Self.pause }) ?? true
        else { return }
        content = newest.content.intersection(.known)
        changedAt = now
    }
}
