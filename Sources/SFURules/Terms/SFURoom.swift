import Cryptography
import Signaling

/// A room's number on its server, or a feed's in its room: from 1 to 2^53 - 1, which JSON numbers are exact to.
public struct SFUNumber: Sendable, Hashable, CustomStringConvertible {
    package static let highest = 1 << 53 - 1

    /// The number.
    public let value: Int

    /// Nil outside of the range.
    public init?(_ value: Int) {
        guard (1...Self.highest).contains(value) else { return nil }
        self.value = value
    }

    /// A random one of 52 bits: nobody guesses it, and no two are the same.
    public static func random() -> SFUNumber {
        SFUNumber(Int.random(in: 1..<1 << 52)) ?? SFUNumber(unchecked: 1)
    }

    private init(unchecked value: Int) { self.value = value }

    public var description: String { "\(value)" }
}

/// A room as its members know it.
public struct SFURoom: Sendable, Equatable {
    /// The server's number of it.
    public var number: SFUNumber
    /// What lets in; nil where nothing is asked for.
    public var pin: SecretText?

    /// A room.
    public init(number: SFUNumber, pin: SecretText?) { (self.number, self.pin) = (number, pin) }
}

/// What a room is entered by, and what its keeper has to close it and to put people out.
public struct SFURoomLock: Sendable, Equatable {
    /// What lets in.
    public let pin: SecretText
    /// What only its keeper has.
    public let secret: SecretText

    /// A lock with these.
    public init(pin: SecretText, secret: SecretText) { (self.pin, self.secret) = (pin, secret) }

    /// One that nobody can guess: 128 bits each.
    public static func random() -> SFURoomLock { SFURoomLock(pin: randomText(), secret: randomText()) }

    private static func randomText() -> SecretText {
        SecretText(SecretBytes.random(16).withUnsafeBytes { Base64URL.encode(Array($0), padded: false) })
    }
}

/// A room that is to be made.
public struct SFURoomPlan: Sendable, Equatable {
    /// Number and PIN.
    public var room: SFURoom
    /// What lets its maker close it and put people out.
    public var secret: SecretText
    /// How many may send at once. Who has died keeps its place for a while.
    public var publishers = 16
    /// Whether only media are taken that are said to be encrypted from end to end.
    var requiresEncryption = true
    /// Whether only who has joined may receive.
    var requiresMembership = true
    /// The most that each picture may need, in bits per second; also what Janus asks senders for by REMB.
    var maximumBitrate = 3_000_000

    /// A room with this number, PIN and secret.
    public init(room: SFURoom, secret: SecretText) { (self.room, self.secret) = (room, secret) }

    /// A room that nobody can guess.
    public static func random() -> SFURoomPlan {
        let lock = SFURoomLock.random()
        return SFURoomPlan(room: SFURoom(number: .random(), pin: lock.pin), secret: lock.secret)
    }
}

/// Somebody who sends into the room. Both values are what the server says, and anybody's choice.
public struct SFUFeed: Sendable, Hashable {
    /// The most bytes of what it shows.
    static let maximumDisplay = 256

    /// Its number.
    public let id: SFUNumber
    /// What it shows of itself; empty if nothing.
    public let display: String

    /// A feed.
    public init(id: SFUNumber, display: String) { (self.id, self.display) = (id, display) }
}

/// Somebody in the room.
public struct SFUParticipant: Sendable, Hashable {
    /// Number and display.
    public let feed: SFUFeed
    /// Whether media come from it.
    public let isSending: Bool

    /// A participant.
    public init(feed: SFUFeed, isSending: Bool) { (self.feed, self.isSending) = (feed, isSending) }
}

/// What is to be had of a feed.
public struct SFUFeedChoice: Sendable, Hashable {
    /// Which picture of several that are sent, from 0; nil leaves it as it is.
    public var substream: Int?
    /// Which of its temporal layers, from 0; nil leaves it as it is.
    public var temporal: Int?
    /// Whether the picture is to come.
    public var isVideoSent: Bool
    /// Whether the sound is to come.
    var isAudioSent: Bool

    /// A choice.
    public init(substream: Int? = nil, temporal: Int? = nil, isVideoSent: Bool = true, isAudioSent: Bool = true) {
        (self.substream, self.temporal) = (substream, temporal)
        (self.isVideoSent, self.isAudioSent) = (isVideoSent, isAudioSent)
    }
}

/// An ICE candidate with the place that it is for.
public struct SFUCandidate: Sendable, Hashable {
    /// The most bytes of its text.
    public static let maximumLength = 512

    /// `candidate:…`, as in a session description.
    public var text: String
    /// The m-line's `mid`.
    public var mid: String?
    /// The m-line's index.
    public var index: Int?

    /// A candidate.
    public init(text: String, mid: String?, index: Int?) { (self.text, self.mid, self.index) = (text, mid, index) }
}

/// What a server says of itself.
public struct SFUServerInfo: Sendable, Hashable {
    /// Its version, such as `1.1.2`.
    public var version: String

    /// What is said.
    public init(version: String) { self.version = version }
}
