/// What is shown when a screen is shared.
public enum ScreenSource: Sendable, Hashable {
    /// What the person chooses in the desktop's own dialog (ScreenCast portal).
    case portal
    /// A moving test pattern.
    case test
    /// The pictures of a file, over and over; the value is its path.
    case file(String)
}

/// What is heard with a shared screen.
public enum ScreenSound: Sendable, Hashable {
    /// Nothing.
    case none
    /// What the programs of this machine play, without this one: the peer must not hear itself.
    case system
    /// A quiet tone.
    case test

    /// What is heard with a source, or nothing.
    public init(of source: ScreenSource, isWanted: Bool) {
        self = !isWanted ? .none : source == .test ? .test : .system
    }
}

/// Whether the own screen is shared.
public enum ScreenSharing: Sendable, Hashable {
    /// Nothing of it leaves.
    case off
    /// The person is being asked, or the source opens.
    case starting
    /// It is shared, perhaps with sound.
    case on(withSound: Bool)

    /// Whether it is seen.
    package var isOn: Bool { if case .on = self { true } else { false } }
}
