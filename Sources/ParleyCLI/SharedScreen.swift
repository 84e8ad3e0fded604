import MediaRules

/// The screen that the words behind `share` mean: `[test|file:PATH] [sound]`.
struct SharedScreen {
    /// A test picture or film; nil: what the desktop lets choose.
    var source: ScreenSource?
    var withSound: Bool

    /// Nil when they mean none.
    init?(_ words: ArraySlice<String>) {
        withSound = words.last == "sound"
        // The path of a film may have spaces.
        let name = (withSound ? words.dropLast() : words).joined(separator: " ")
        guard !name.isEmpty else { return }
        guard let source = SourceArgument(argument: name).flatMap(ScreenSource.init) else { return nil }
        self.source = source
    }
}
