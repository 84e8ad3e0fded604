import BaseKit

/// What can be told to a person: each value has one sentence that they can act on, in their language.
public protocol Worded {
    /// The sentence.
    var sentence: String { get }
}

/// What a person reads of an error. One that no person should meet, which has no sentence here, is told as the log has it.
public func sentence(of error: any Error) -> String {
    switch error {
    case let worded as any Worded: worded.sentence
    case let cause as Cause: sentence(of: cause.error)
    default: String(describing: error)
    }
}

extension Cause: Worded {
    public var sentence: String { Wording.sentence(of: error) }
}

extension String {
    /// What a library says, which may end its sentence or not, to be put into one of ours.
    var withoutPeriod: Substring { hasSuffix(".") ? dropLast() : self[...] }
}

extension Array where Element == String {
    /// The words as in “one, two and three”.
    var listed: String {
        guard let last, count > 1 else { return joined() }
        return tr("%1$s and %2$s", dropLast().joined(separator: ", "), last)
    }
}
