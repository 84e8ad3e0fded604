import Parley

extension Contact {
    /// The name as people read it: what Parley itself has named is named in their language.
    public var shownName: String {
        if isTestCall { return shown(tr("Test call"), for: Self.testCallName) }
        return isUnnamed ? shown(tr("New contact"), for: Self.placeholderName) : name
    }

    /// The name with a word in place of what it begins with; a number behind it stays.
    private func shown(_ word: String, for beginning: String) -> String {
        name.hasPrefix(beginning) ? word + name.dropFirst(beginning.count) : name
    }
}
