import Signaling

/// Where the members of a call are shown. Tiles keep their places when people talk, come or go; only a spotlight changes who is large.
public struct GroupLayout: Sendable {
    /// One who is shown, as far as it matters here.
    public struct Participant: Sendable, Hashable {
        /// The member.
        public var member: MemberNumber
        /// Whether a picture of the camera comes, or of a screen in its place.
        public var hasPicture: Bool
        /// Whether it is of a screen.
        public var hasScreen: Bool

        /// Describes one.
        public init(member: MemberNumber, hasPicture: Bool = false, hasScreen: Bool = false) {
            self.member = member
            self.hasPicture = hasPicture
            self.hasScreen = hasScreen
        }
    }

    /// What a large tile shows.
    public enum Spotlight: Sendable, Hashable {
        /// A member's camera, or its picture of the profile.
        case member(MemberNumber)
        /// The same, because it shares a screen.
        case screen(MemberNumber)

        fileprivate var member: MemberNumber {
            switch self {
            case .member(let member), .screen(let member): member
            }
        }
    }

    /// How they are arranged.
    public enum Arrangement: Sendable, Hashable {
        /// Nobody else is there.
        case alone
        /// One other one, in full.
        case two(MemberNumber)
        /// Equal tiles without pictures, row by row.
        case soundGrid([MemberNumber], columns: Int)
        /// Equal tiles of which some have pictures, row by row; nine at most.
        case pictureGrid([MemberNumber], columns: Int)
        /// One large and the others in a row.
        case spotlight(Spotlight, others: [MemberNumber])
    }

    /// The most tiles of a grid.
    static let mostTiles = 9

    /// The others in the order in which they came.
    private var order: [MemberNumber] = []
    /// Whom the person wants to see large; nobody once that one has gone.
    public private(set) var pinned: Spotlight?
    /// Whether the person wants to see who speaks large, instead of a grid.
    private(set) var followsSpeaker = false
    private var lastSpeaker: MemberNumber?
    /// Whose screens the person does not want to see large, until they are shared anew.
    private var declined: Set<MemberNumber> = []
    // As it was arranged last.
    private var sharing: Set<MemberNumber> = []
    private var isSpotlight = false
    /// Who was large, and who was in the row beside.
    private var large: MemberNumber?
    private var row: [MemberNumber] = []

    /// Nobody is shown.
    public init() {}

    /// The person wants to see one large, or nobody in particular.
    public mutating func pin(_ spotlight: Spotlight?) { pinned = spotlight }

    /// The person wants to see who speaks large, or a grid.
    mutating func followSpeaker(_ isWanted: Bool) { followsSpeaker = isWanted }

    /// The person wants a grid in place of whoever is large, or in place of the grid a screen that is shared, or else who speaks.
    public mutating func toggle() {
        pinned = nil
        if isSpotlight {
            followsSpeaker = false
            declined = sharing
        } else if sharing.isEmpty {
            followsSpeaker = true
        } else {
            declined = []
        }
    }

    /// Arranges those who are there.
    ///
    /// - Parameters:
    ///   - participants: those who are there; who is seen large before anybody has spoken comes first.
    ///   - speaker: who speaks, if anybody.
    public mutating func arrange(_ participants: [Participant], speaker: MemberNumber?) -> Arrangement {
        let present = Set(participants.map(\.member))
        order.removeAll { !present.contains($0) }
        order += participants.map(\.member).filter { !order.contains($0) }
        if let speaker, present.contains(speaker) { lastSpeaker = speaker }
        if let last = lastSpeaker, !present.contains(last) { lastSpeaker = nil }
        // Who comes back is one of many again.
        if case .member(let member) = pinned, !present.contains(member) { pinned = nil }
        sharing = Set(participants.filter(\.hasScreen).map(\.member))
        declined.formIntersection(sharing)
        let spotlight = spotlight(participants)
        isSpotlight = spotlight != nil
        if let spotlight { return .spotlight(spotlight, others: placeBeside(spotlight.member)) }
        (large, row) = (nil, [])
        guard let first = order.first else { return .alone }
        guard order.count > 1 else { return .two(first) }
        let tiles = Array(order.prefix(Self.mostTiles))
        // As square as can be: 2 for two to four, 3 for up to nine.
        let columns = tiles.count <= 4 ? 2 : 3
        let hasPictures = participants.contains { $0.hasPicture }
        return hasPictures ? .pictureGrid(tiles, columns: columns) : .soundGrid(tiles, columns: columns)
    }

    /// The row beside the one who is large: who was large before takes the place of who is now, and nobody else moves.
    private mutating func placeBeside(_ member: MemberNumber) -> [MemberNumber] {
        if let large, large != member, let place = row.firstIndex(of: member) { row[place] = large }
        row.removeAll { $0 == member || !order.contains($0) }
        row += order.filter { $0 != member && !row.contains($0) }
        large = member
        return row
    }

    /// Whom the person chose, then a screen, then who speaks where that is wanted.
    private func spotlight(_ participants: [Participant]) -> Spotlight? {
        switch pinned {
        case .member where order.count > 1: return pinned
        case .screen(let member) where sharing.contains(member): return pinned
        case .member, .screen, nil: break
        }
        if let sharing = order.first(where: { sharing.contains($0) && !declined.contains($0) }) {
            return .screen(sharing)
        }
        guard followsSpeaker, order.count > 1 else { return nil }
        return (lastSpeaker ?? participants.first?.member).map(Spotlight.member)
    }
}
