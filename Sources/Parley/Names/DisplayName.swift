import Foundation
import Signaling

/// Names that come from others, made fit to be shown, compared and typed.
///
/// What changes the direction or the place of text, or can't be seen, does not belong into a name: with it one could look
/// like another contact, or like a sentence of the program (Unicode Technical Report 36 §2 and 3).
enum DisplayName {
    /// The longest name, in what a person takes for characters.
    static let maximumLength = 64
    /// The most marks over and under one letter.
    static let maximumMarks = LineOfText.maximumMarks

    /// The name without what is no part of one, spaces single and only inside; nil if nothing is left.
    static func cleaned(_ text: String) -> String? { cleaned(text, limit: maximumLength) }

    /// The same for another line of text, which may be longer.
    static func cleaned(_ text: String, limit: Int) -> String? { LineOfText.cleaned(text, limit: limit) }

    /// Names with the same key look the same or nearly so, whatever width, case or composition their letters have.
    static func key(of name: String) -> String {
        func folded(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping.lowercased() }
        return folded(folded(name))
    }

    /// The keys of a name: two names that share one look the same or nearly so, also where letters are of other scripts.
    static func keys(of name: String) -> [String] { [key(of: name), LookAlikes.key(of: name)] }

    /// The name with a number behind it if one of its keys is taken already.
    ///
    /// - Parameter isTaken: whether somebody else has a name with this key.
    static func distinct(_ name: String, isTaken: (String) -> Bool) -> String {
        guard keys(of: name).contains(where: isTaken) else { return name }
        var number = 2
        while keys(of: "\(name) (\(number))").contains(where: isTaken) { number += 1 }
        return "\(name) (\(number))"
    }
}
