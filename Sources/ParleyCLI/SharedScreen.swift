import MediaRules

/// The screen that the words behind `share` mean: `[test|file:PATH] [motion] [sound]`.
struct SharedScreen: Equatable, Sendable {
    /// A test picture or film; nil: what the desktop lets choose.
    var source: ScreenSource?
    var withSound: Bool
    /// What matters most in its pictures.
    var content: ScreenContent

    /// Nil when they mean none.
    init?(_ words: ArraySlice<String>) {
        var words = words
        withSound = words.last == "sound"
        if withSound { words.removeLast() }
        content = words.last == "motion" ? .motion : .text
        if content == .motion { words.removeLast() }
        // The path of a film may have spaces.
        let name = words.joined(separator: " ")
        guard !name.isEmpty else { return }
        guard let source = SourceArgument(argument: name).flatMap(ScreenSource.init) else { return nil }
        self.source = source
    }
}
