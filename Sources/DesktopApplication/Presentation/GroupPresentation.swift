import Calling
import GLibKit
import Signaling
import Wording

/// What the windows show of a call of several besides what they show of any call: its tiles, and the page of those who take part.
struct GroupPresentation: Equatable {
    /// What the windows know besides the call itself.
    struct Surroundings: Equatable {
        /// Where the tiles are.
        var arrangement = GroupLayout.Arrangement.alone
        /// Whom the person wants to see large.
        var pinned: MemberNumber?
        /// Whose pictures have come; the own among them.
        var pictures: Set<MemberNumber> = []
        /// Who speaks, or did last.
        var speaker: MemberNumber?
        /// Who can be invited, as far as their being in the call is not looked at.
        var contacts: [ContactItem] = []
    }

    /// One person on a tile.
    struct Tile: Equatable, Identifiable {
        let id: MemberNumber
        let name: String
        /// Their picture of the profile, checked and not decoded.
        var picture: ProfilePicture?
        var isOwn = false
        /// Whether their camera is seen, or the screen that they share.
        var showsVideo = false
        /// Whether it is a screen, which is seen whole.
        var showsScreen = false
        var isMuted = false
        var hasRaisedHand = false
        /// Says that nothing comes of them, and why; nil while they are seen or heard.
        var sentence: String?
        /// Whether the person can see them large, or no longer.
        var canPin = false
        /// Whether they are large because the person wants it.
        var isPinned = false
        /// Whether a ring is drawn around the face of who speaks.
        var showsSpeaking: Bool { sentence == nil && !isMuted }

        /// The same in words.
        var description: String {
            [
                name, sentence, showsScreen ? tr("shares a screen") : nil, isMuted ? tr("microphone off") : nil,
                hasRaisedHand ? tr("hand raised") : nil,
                isPinned ? tr("pinned") : nil,
            ].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// One person on the page of those who take part.
    struct Person: Equatable, Identifiable {
        let id: MemberNumber
        let name: String
        var picture: ProfilePicture?
        /// Where they stand; nil for the person here.
        let stage: GroupCallUpdate.MemberStage?
        /// How they take part.
        let subtitle: String
        let isMuted: Bool
        let hasRaisedHand: Bool
        let sharesScreen: Bool
        /// Whether their code was compared.
        let isCompared: Bool
        /// Whether there is a way to them, and so a code to compare.
        let canCompare: Bool
        /// Whether the person here may put them out.
        let canRemove: Bool
        /// What pins them, or pins them no longer; nil where nobody can be seen large.
        let pin: String?
        /// How loud they are heard here, 1 for as they come; nil while they are not heard.
        let volume: Double?
    }

    /// How the tiles stand to each other.
    enum Layout: Equatable {
        /// All of one size; so many beside one another where the window is wider than high.
        case grid(columns: Int)
        /// The first is large and the others small beside or below it.
        case spotlight

        /// Whether one is large.
        var isSpotlight: Bool { self == .spotlight }
    }

    /// Where the call is seen.
    enum Sight {
        /// The large window with its tiles.
        case tiles
        /// The large window with those who take part in place of the tiles.
        case people
        /// The small window.
        case small
    }

    /// Those who are in or are called, by their names.
    let title: String
    /// How many are in the call, the person here among them.
    let count: Int
    /// Whether nobody else is in, though the call is on.
    let isAlone: Bool
    let tiles: [Tile]
    let layout: Layout
    /// What goes over to seeing a screen or who speaks large, or back to the grid; nil where there is nothing to choose.
    let view: ControlFace?
    /// The own picture, which lies over the tile of the only other one.
    let preview: Tile?
    /// Who shares a screen, or speaks, or did last, or else the first of the others: shown where there is room for one alone.
    let speaker: Tile?
    /// The person here first, then the others.
    let people: [Person]
    /// Contacts who can be invited now.
    let guests: [ContactItem]
    let hasRaisedHand: Bool

    /// The most people in a call without a server.
    static let capacity = 4

    /// Works it out; `own` is what the person's own program says of itself.
    init(_ group: GroupSnapshot, own: CallSnapshot, _ surroundings: Surroundings) {
        let isOver = own.stage.isEnded
        let there = group.members.filter(\.isThere)
        let named = there.isEmpty ? group.members : there
        title = named.map(\.name).joined(separator: ", ")
        count = 1 + group.members.count(where: \.isIn)
        isAlone = own.stage.isFlowing && !group.members.contains { $0.isThere }
        hasRaisedHand = group.hasRaisedHand
        let ownTile = Self.own(group, own, surroundings)
        var tiles: [Tile] = []
        (tiles, layout) = Self.tiles(group, ownTile, surroundings)
        let isChoice = !isOver && tiles.count > 2
        if isChoice {
            for index in tiles.indices where !tiles[index].isOwn {
                tiles[index].canPin = true
                tiles[index].isPinned = tiles[index].id == surroundings.pinned
            }
        }
        self.tiles = isOver ? [] : tiles
        view =
            isChoice ? .view(isSpotlight: layout.isSpotlight, hasScreen: tiles.contains(where: \.showsScreen)) : nil
        preview = !isOver && !tiles.contains { $0.isOwn } && ownTile.showsVideo ? ownTile : nil
        let others = tiles.filter { !$0.isOwn }
        let screen = layout.isSpotlight ? others.first(where: \.showsScreen) : nil
        speaker = screen ?? others.first { $0.id == surroundings.speaker } ?? others.first
        people = isOver ? [] : Self.people(group, own, tiles)
        guests = Self.guests(group, own, surroundings.contacts)
    }

    /// Whose pictures are seen.
    func seen(in sight: Sight) -> Set<MemberNumber> {
        switch sight {
        case .tiles: Set(tiles.map(\.id))
        case .people: []
        case .small: Set([speaker?.id].compactMap(\.self))
        }
    }

    private static func own(_ group: GroupSnapshot, _ own: CallSnapshot, _ surroundings: Surroundings) -> Tile {
        Tile(
            id: group.own, name: tr("You"), isOwn: true,
            showsVideo: own.cameraEnabled && surroundings.pictures.contains(group.own),
            isMuted: own.isMuted, hasRaisedHand: group.hasRaisedHand)
    }

    private static func tiles(
        _ group: GroupSnapshot, _ own: Tile, _ surroundings: Surroundings
    ) -> (tiles: [Tile], layout: Layout) {
        func tile(_ number: MemberNumber) -> Tile? {
            if number == group.own { return own }
            return group.members.first { $0.id == number }.map { Tile($0, surroundings.pictures) }
        }
        switch surroundings.arrangement {
        case .alone: return ([own], .grid(columns: 1))
        case .two(let other): return ([tile(other)].compactMap(\.self), .grid(columns: 1))
        case .soundGrid(let numbers, let columns), .pictureGrid(let numbers, let columns):
            return (numbers.compactMap(tile), .grid(columns: columns))
        case .spotlight(.member(let large), let others), .spotlight(.screen(let large), let others):
            return (([large] + others).compactMap(tile), .spotlight)
        }
    }

    private static func people(_ group: GroupSnapshot, _ own: CallSnapshot, _ tiles: [Tile]) -> [Person] {
        let me = Person(
            id: group.own, name: tr("You"), stage: nil, subtitle: group.isHost ? tr("Host") : tr("In the call"),
            isMuted: own.isMuted, hasRaisedHand: group.hasRaisedHand, sharesScreen: false, isCompared: false,
            canCompare: false, canRemove: false, pin: nil, volume: nil)
        // Who was called again has one line: of the number that counts now.
        let shown = group.members.filter { member in
            guard let contact = member.contact?.id, !member.isThere else { return true }
            return !group.members.contains {
                $0.contact?.id == contact && $0.id != member.id && ($0.isThere || $0.id > member.id)
            }
        }
        let others = shown.map { member in
            Person(
                id: member.id, name: member.name, picture: member.contact?.picture, stage: member.stage,
                subtitle: member.subtitle,
                isMuted: member.isHeard && !member.microphone, hasRaisedHand: member.isHeard && member.hand,
                sharesScreen: member.sharesScreen, isCompared: member.hasComparedCode,
                canCompare: own.stage.isConsented && member.isHeard,
                canRemove: group.isHost && own.stage.isConsented && member.isThere,
                pin: tiles.first { $0.id == member.id && $0.canPin }.map {
                    $0.isPinned ? tr("Unpin %s", $0.name) : tr("Pin %s", $0.name)
                }, volume: member.isHeard && !member.isUntrusted ? member.volume : nil)
        }
        return [me] + others
    }

    private static func guests(_ group: GroupSnapshot, _ own: CallSnapshot, _ contacts: [ContactItem]) -> [ContactItem]
    {
        guard own.stage.isConsented, 1 + group.members.count(where: \.isThere) < group.capacity else { return [] }
        let here = Set(group.members.filter(\.isThere).compactMap { $0.contact?.id })
        return contacts.filter { $0.canJoin && !here.contains($0.id) }
    }
}

extension ControlFace {
    /// Goes over to seeing one large, or back to the grid.
    fileprivate static func view(isSpotlight: Bool, hasScreen: Bool) -> ControlFace {
        let large = hasScreen ? tr("Show the shared screen large") : tr("Show whoever speaks large")
        return ControlFace(
            icon: isSpotlight ? "view-grid-symbolic" : "focus-windows-symbolic",
            label: isSpotlight ? tr("Show everybody at the same size") : large, isEnabled: true)
    }
}

extension CallSnapshot {
    /// Whether nothing is heard of the person here, by their own wish or the system's, as the others are told.
    fileprivate var isMuted: Bool { !microphoneEnabled || isMicrophoneMutedBySystem }
}

extension GroupPresentation.Tile {
    fileprivate init(_ member: GroupSnapshot.Member, _ pictures: Set<MemberNumber>) {
        self.init(id: member.id, name: member.name, picture: member.contact?.picture)
        showsVideo = member.isHeard && member.hasPicture && pictures.contains(member.id)
        showsScreen = showsVideo && member.sharesScreen
        isMuted = member.stage == .connected && !member.microphone
        hasRaisedHand = member.isHeard && member.hand
        sentence = member.isUntrusted ? tr("Not who they say") : member.stage == .connected ? nil : member.stage.phrase
    }
}

extension GroupSnapshot.Member {
    /// Whether it is in the call, or still may come.
    var isThere: Bool { stage.isInvited || isIn }

    /// Whether it is in the call.
    var isIn: Bool {
        switch stage {
        case .connecting, .connected, .reconnecting: true
        case .inviting, .unreachable, .ringing, .left, .removed, .declined, .busy, .noAnswer, .notReached: false
        }
    }

    /// Whether pictures of it come.
    var hasPicture: Bool { camera || screen }

    /// Whether they are of a screen.
    var sharesScreen: Bool { isHeard && !isUntrusted && screen }

    /// Whether it is heard, or was before its way broke.
    var isHeard: Bool { stage == .connected || stage == .reconnecting }

    /// How it takes part, on the page of those who do.
    fileprivate var subtitle: String {
        let trust = contact == nil ? tr("Introduced") : nil
        let host = isHost && isThere ? tr("Host") : nil
        let loudness =
            isHeard && volume != 1 ? tr("Volume %s percent", Int((volume * 100).rounded())) : nil
        let screen = sharesScreen ? tr("Shares a screen") : nil
        return [isUntrusted ? tr("Not who they say") : stage.phrase, host, trust, screen, loudness].compactMap(\.self)
            .joined(separator: " · ")
    }
}

extension ContactItem {
    /// Whether they can be called together with others.
    var canJoin: Bool { takesGroupCalls && !isTestCall && ContactPresentation(self).canCall }
}

/// What can be done with several contacts who are chosen.
struct TogetherChoice: Equatable {
    /// Whether calls of several are offered at all.
    let isOffered: Bool
    /// Whether those who are chosen can be called together.
    let canCall: Bool
    /// How many are chosen, and why they can't be called together.
    let sentence: String

    /// Works it out; `most` may be in a call.
    init(_ selected: [ContactItem], takesGroupCalls: Bool, most: Int = GroupPresentation.capacity) {
        isOffered = takesGroupCalls
        let count = tr("%s selected", selected.count)
        let hindrance: String? =
            if !takesGroupCalls || selected.isEmpty {
                nil
            } else if selected.count >= most {
                tr("at most %s can be called together", most - 1)
            } else {
                selected.first { !$0.canJoin }.map { tr("%s can’t join calls of several people", $0.name) }
            }
        canCall = takesGroupCalls && !selected.isEmpty && hindrance == nil
        sentence = [count, hindrance].compactMap(\.self).joined(separator: " · ")
    }
}
