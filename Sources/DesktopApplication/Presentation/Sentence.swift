import GLibKit

/// Fills a name into a translated sentence, where it stands as `%s`.
func tr(_ sentence: String, naming name: String) -> String {
    let pieces = tr(sentence).split(separator: "%s", maxSplits: 1, omittingEmptySubsequences: false)
    return pieces.joined(separator: name)
}
