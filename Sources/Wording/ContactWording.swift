import Parley

extension Contact {
    /// The name as people read it: what Parley itself has named is named in their language.
    public var shownName: String { isTestCall || isUnnamed ? Self.shown(name) : name }

    /// A bare name as people read it, as it stands in an error, a notice or the log. No contact comes under the names that Parley gives.
    public static func shown(_ name: String) -> String {
        shown(
            name,
            inPlaceOf: [
                (testCallName, tr("Test call")), (placeholderName, tr("New contact")),
                (unknownName, tr("Unknown contact")),
            ])
    }

    /// A name with a word in place of what it is; a number behind it stays.
    static func shown(_ name: String, inPlaceOf own: [(beginning: String, word: String)]) -> String {
        for (beginning, word) in own where name.hasPrefix(beginning) {
            let rest = name.dropFirst(beginning.count)
            let isNumber =
                rest.hasPrefix(" (") && rest.hasSuffix(")") && rest.dropFirst(2).dropLast().allSatisfy(\.isNumber)
            if rest.isEmpty || isNumber { return word + rest }
        }
        return name
    }
}

extension IncomingRequest {
    /// The name as people read it.
    public var shownName: String { isUnnamed ? tr("Somebody without a name") : name }
}
