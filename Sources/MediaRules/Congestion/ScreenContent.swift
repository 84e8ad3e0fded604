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
