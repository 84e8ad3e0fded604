import Parley

extension ShelfFault: Worded {
    /// What a person can do about it.
    public var sentence: String {
        switch self {
        case .tooMany:
            tr("There can be %s profiles. Remove one that you don’t need any more.", ProfileShelf.mostProfiles)
        case .unknown: tr("There is no such profile any more.")
        case .last: tr("Another profile has to take its place: open or make one first.")
        }
    }
}

extension ShelfLoss: Worded {
    /// What became of the profiles.
    public var sentence: String {
        switch self {
        case .damaged(let aside):
            tr(
                "The list of your profiles was damaged and lies in %s now. Other profiles are closed: open them under Profiles.",
                aside)
        case .unreadable(let path):
            tr(
                "The list of your profiles, %s, can’t be read. Other profiles are closed: open them under Profiles.",
                path)
        }
    }
}
