/// A key of a telephone, as DTMF names it.
public struct Tone: Sendable, Hashable {
    /// The event's number, 0 to 15 (RFC 4733 §3.2).
    package let event: UInt8

    private static let keys: [Character] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#", "A", "B", "C", "D",
    ]

    /// The key: `0` to `9`, `*`, `#`, `A` to `D`.
    public var key: Character { Self.keys[Int(event)] }

    /// The tone of a key, letters also small; nil for another character.
    public init?(key: Character) {
        guard let index = Self.keys.firstIndex(where: { String($0) == key.uppercased() }) else { return nil }
        event = UInt8(index)
    }

    /// The tone of an event's number; nil for events that are no DTMF.
    package init?(event: UInt8) {
        guard event < Self.keys.count else { return nil }
        self.event = event
    }
}

/// Tones to be sent one after the other.
public struct ToneSequence: Sendable, Equatable {
    /// The most characters of one sequence.
    public static let longest = 64

    package enum Step: Sendable, Equatable {
        case tone(Tone)
        /// Two seconds of nothing.
        case pause
    }

    package let steps: [Step]

    /// Reads keys, and commas for pauses. Throws ``ToneError/empty``, ``ToneError/unknownKey(_:)`` or ``ToneError/tooLong``.
    public init(parsing text: String) throws(ToneError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        var steps: [Step] = []
        for character in text {
            if character == "," {
                steps.append(.pause)
            } else if let tone = Tone(key: character) {
                steps.append(.tone(tone))
            } else {
                throw .unknownKey(character)
            }
        }
        self.steps = steps
    }

    /// How long it takes.
    package var duration: Duration {
        steps.reduce(.zero) { sum, step in
            switch step {
            case .tone: sum + .milliseconds(Int64((ToneSender.length + ToneSender.gap) / 48))
            case .pause: sum + .milliseconds(Int64(ToneSender.pause / 48))
            }
        }
    }
}

/// Why tones are not sent.
public enum ToneError: Error, Sendable, Hashable {
    /// There are none.
    case empty
    /// This is no key.
    case unknownKey(Character)
    /// There are more than ``ToneSequence/longest``, or as many are waiting.
    case tooLong
    /// The call is not connected.
    case notConnected
    /// The call is on hold.
    case onHold
    /// The peer's program takes none.
    case notSupported
    /// The call ended, was put on hold or changed its path meanwhile.
    case interrupted
}
