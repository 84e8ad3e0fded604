/// What is shown when a screen is shared.
public enum ScreenSource: Sendable, Hashable {
    /// What the person chooses in the desktop's own dialog (ScreenCast portal).
    case portal
    /// A moving test pattern.
    case test
    /// The pictures of a file, over and over; the value is its path.
    case file(String)
}

/// What matters most in the pictures of a shared screen.
public enum ScreenContent: Sendable, Hashable, CaseIterable {
    /// That they are sharp, as they are read: few a second, and some are left out where there is little room.
    case text
    /// That they move, as those of a film: more a second, smaller, and softer where there is little room.
    case motion

    /// Most pictures a second.
    package var rate: Int {
        switch self {
        case .text: 15
        case .motion: 30
        }
    }

    /// The largest pictures: more costs a processor core and is hardly seen.
    package var size: PictureSize {
        switch self {
        case .text: PictureSize(width: 1_920, height: 1_200)
        case .motion: PictureSize(width: 1_280, height: 800)
        }
    }
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
