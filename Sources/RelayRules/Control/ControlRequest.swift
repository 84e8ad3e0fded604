import Cryptography
import SMP
import SMPSession

/// What an operator asks of a running relay, in one line of text.
public enum ControlRequest: Equatable, Sendable {
    /// What can be blocked.
    public enum Target: Equatable, Sendable {
        /// The recipient's, the sender's or the link's id of a queue.
        case queue(EntityID)
        case address(ConnectionOrigin)
    }

    /// The queues that hold most bytes, so many.
    case queues(Int)
    /// Take nothing for a queue, or from an address, any more; `reason` is told to clients of the queue.
    case block(Target, reason: String)
    case unblock(Target)
    /// Take no more connections, end the open ones within so many seconds, then stop.
    case drain(seconds: Int)

    /// Bytes of a line at most.
    public static let maximumLength = 256
    /// Reasons that the protocol knows (SMP fact sheet §8).
    public static let reasons = ["spam", "content"]
    public static let listed = 1...1_000
    public static let drained = 0...86_400

    /// Reads a line without its end.
    ///
    /// - Throws: `ControlError`.
    public init(line: String) throws(ControlError) {
        guard line.utf8.count <= Self.maximumLength else { throw .unknownRequest }
        let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        switch (words.first, words.count) {
        case ("queues", 2): self = .queues(try Self.number(words[1], Self.listed))
        case ("drain", 2): self = .drain(seconds: try Self.number(words[1], Self.drained))
        case ("block", 3):
            guard Self.reasons.contains(words[2]) else { throw .unknownReason(words[2]) }
            self = .block(try Self.target(words[1]), reason: words[2])
        case ("unblock", 2): self = .unblock(try Self.target(words[1]))
        default: throw .unknownRequest
        }
    }

    /// The line without its end.
    public var line: String {
        switch self {
        case .queues(let count): "queues \(count)"
        case .drain(let seconds): "drain \(seconds)"
        case .block(let target, let reason): "block \(target) \(reason)"
        case .unblock(let target): "unblock \(target)"
        }
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) throws(ControlError) -> Int {
        guard let number = Int(text), range.contains(number) else { throw .outOfRange(range) }
        return number
    }

    /// Reads an id or an address.
    ///
    /// - Throws: `ControlError.noTarget`.
    public static func target(_ text: String) throws(ControlError) -> Target {
        switch ConnectionOrigin.Reading(parsing: text) {
        case .origin(let origin): return .address(origin)
        case .thisMachine: throw .thisMachine
        case nil: break
        }
        guard let bytes = try? Base64URL.decode(text), bytes.count == EntityID.count else { throw .noTarget(text) }
        return .queue(EntityID(bytes))
    }
}

extension ControlRequest.Target: CustomStringConvertible {
    public var description: String {
        switch self {
        case .queue(let id): Base64URL.encode(id.bytes)
        case .address(let origin): origin.description
        }
    }
}

/// Why a request of an operator comes to nothing, in one sentence.
public enum ControlError: Error, Equatable, Sendable {
    case unknownRequest
    case unknownReason(String)
    case outOfRange(ClosedRange<Int>)
    case noTarget(String)
    case thisMachine
    case noQueue
    case alreadyOff
    case notBlocked
    case notRunning(String)
}

extension ControlError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownRequest: "The relay does not know this request."
        case .unknownReason(let reason):
            "A queue is blocked for \(ControlRequest.reasons.joined(separator: " or ")), not for \(reason)."
        case .outOfRange(let range): "The number must be from \(range.lowerBound) to \(range.upperBound)."
        case .noTarget(let text): "\(text) is neither the id of a queue nor an address."
        case .thisMachine: "This machine's own address is never blocked."
        case .noQueue: "There is no such queue."
        case .alreadyOff: "Its owner has switched this queue off for good; it takes nothing any more."
        case .notBlocked: "It is not blocked."
        case .notRunning(let path): "No relay answers at \(path)."
        }
    }
}
