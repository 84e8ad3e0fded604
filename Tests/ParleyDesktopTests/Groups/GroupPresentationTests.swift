import BaseKit
import Signaling
import Testing

import struct Calling.GroupCallUpdate
import struct Calling.GroupLayout

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct GroupPresentationTests {
    private let start = Instant.now
    private static let ben = GroupSnapshot.Member.someone(2, "Ben", .connected)
    private static let cleo = GroupSnapshot.Member.someone(3, "Cleo", .connected)
    private static let dan = GroupSnapshot.Member.someone(4, "Dan", .inviting)

    private func call(
        _ members: [GroupSnapshot.Member], _ stage: CallStage? = nil, kind: CallKind = .video,
        arrangement: GroupLayout.Arrangement? = nil, pinned: Int? = nil, pictures: Set<Int> = [],
        contacts: [ContactItem] = [], _ change: (inout CallSnapshot) -> Void = { _ in }
    ) -> CallPresentation {
        var snapshot = CallSnapshot(stage: stage ?? .active(since: start), cameraEnabled: kind == .video)
        snapshot.group = GroupSnapshot(own: .of(1), members: members)
        change(&snapshot)
        var group = GroupPresentation.Surroundings()
        group.arrangement = arrangement ?? .pictureGrid(members.map(\.id) + [.of(1)], columns: 2)
        (group.pictures, group.contacts) = (Set(pictures.map(MemberNumber.of)), contacts)
        group.pinned = pinned.map(MemberNumber.of)
        return CallPresentation(
            contact: .someone("Ben"), kind: kind, snapshot: snapshot, cameraCount: 1,
            surroundings: .init(now: start, group: group))
    }

    private func group(
        _ members: [GroupSnapshot.Member], _ stage: CallStage? = nil, arrangement: GroupLayout.Arrangement? = nil,
        pinned: Int? = nil, pictures: Set<Int> = [], contacts: [ContactItem] = [],
        _ change: (inout CallSnapshot) -> Void = { _ in }
    ) throws -> GroupPresentation {
        try #require(
            call(
                members, stage, arrangement: arrangement, pinned: pinned, pictures: pictures, contacts: contacts, change
            ).group)
    }

    private static func large(_ large: Int, _ others: Int...) -> GroupLayout.Arrangement {
        .spotlight(.member(.of(large)), others: others.map(MemberNumber.of))
    }

    @Test func `a call of two has no group, and a call of several is named by those who are there`() {
        #expect(call([Self.ben, Self.cleo, Self.dan]).name == "Ben, Cleo, Dan")
        #expect(call([Self.ben, .someone(3, "Cleo", .left)]).name == "Ben")
        #expect(call([.someone(2, "Ben", .declined), .someone(3, "Cleo", .left)]).name == "Ben, Cleo")
        #expect(
            CallPresentation(
                contact: .someone("Ben"), kind: .audio, snapshot: CallSnapshot(stage: .connecting), cameraCount: 0,
                surroundings: .init(now: start)
            ).group == nil)
    }

    @Test func `who was called again has one line, of how it stands now`() throws {
        let again = GroupSnapshot.Member.someone(5, "Cleo", .connected)
        var former = GroupSnapshot.Member.someone(3, "Cleo", .noAnswer)
        former.contact = again.contact
        func people(_ members: GroupSnapshot.Member...) throws -> [Int] {
            try group(members).people.map { Int($0.id.value) }
        }
        #expect(try people(Self.ben, former, again) == [1, 2, 5])
        var came = former
        came.stage = .connected
        var vain = again
        vain.stage = .noAnswer
        #expect(try people(Self.ben, came, vain) == [1, 2, 3], "it has come back by its former number")
        #expect(try people(Self.ben, former, vain) == [1, 2, 5])
        (former.contact, vain.contact) = (nil, nil)
        #expect(try people(Self.ben, former, vain) == [1, 2, 3, 5], "whose are alike may be two")
    }

    @Test func `who invites is named, and with whom, but not where names are hidden`() {
        let others = call([Self.ben, Self.cleo, Self.dan], .ringingIn)
        #expect(others.name == "Ben")
        #expect(others.status == "Incoming video call with Cleo, Dan")
        #expect(others.plainStatus == "Incoming video call of several people")
        #expect(call([Self.ben, Self.cleo], .ringingIn, kind: .audio).status == "Incoming call with Cleo")
        #expect(call([Self.ben], .ringingIn, kind: .audio).status == "Incoming call of several people")
    }

    @Test func `who is alone is told so in place of the time`() {
        let alone = call([.someone(2, "Ben", .left)])
        #expect(alone.status == "You are alone in the call" && alone.standing == alone.status)
        #expect(call([Self.ben]).status == "0:00")
        #expect(call([Self.dan]).status == "0:00", "somebody still rings")
    }

    @Test(
        arguments: [
            ([.inviting, .inviting], false, false), ([.ringing, .unreachable], true, false),
            ([.unreachable, .unreachable], false, true), ([.unreachable, .inviting], false, false),
            ([.declined, .unreachable], false, true), ([.declined, .noAnswer], false, false),
        ] as [([GroupCallUpdate.MemberStage], Bool, Bool)])
    func `it rings where it rings anywhere, and no relay can be reached where that is so of all who are called`(
        _ stages: [GroupCallUpdate.MemberStage], _ rings: Bool, _ waits: Bool
    ) {
        let members = stages.enumerated().map { GroupSnapshot.Member.someone($0 + 2, "Ben", $1) }
        var group = GroupSnapshot(own: .of(1), members: members)
        #expect(group.rings == rings && group.waitsForRelays == waits)
        var snapshot = CallSnapshot(stage: .ringingOut)
        snapshot.group = group
        #expect(snapshot.isDelivered == rings && snapshot.isWaitingForRelay == waits)
        // What is asked within a call of two rings nowhere.
        group.adding = ["Eve"]
        #expect(!group.rings && !group.waitsForRelays)
    }

    @Test func `who rings or can't be reached yet has a tile, and can be put out and not invited`() throws {
        let members = [Self.ben, .someone(3, "Cleo", .ringing), .someone(4, "Dan", .unreachable)]
        let shown = try group(members, contacts: ["Cleo", "Dan", "Eve"].map { .someone($0) }) {
            $0.group?.isHost = true
            $0.group?.capacity = 8
        }
        #expect(shown.title == "Ben, Cleo, Dan" && shown.count == 2 && !shown.isAlone)
        #expect(shown.people.map(\.canRemove) == [false, true, true, true])
        #expect(shown.guests.map(\.name) == ["Eve"])
    }

    @Test(arguments: [
        (GroupCallUpdate.MemberStage.inviting, "Calling…"), (.ringing, "Ringing…"),
        (.unreachable, "Relay can’t be reached"), (.connecting, "Connecting…"), (.connected, ""),
        (.reconnecting, "Reconnecting…"),
    ])
    func `a tile says where somebody stands`(_ stage: GroupCallUpdate.MemberStage, _ sentence: String) throws {
        let tile = try #require(try group([.someone(2, "Ben", stage), Self.cleo]).tiles.first)
        #expect(tile.sentence ?? "" == sentence)
        #expect(tile.description == (sentence.isEmpty ? "Ben" : "Ben, \(sentence)"))
    }

    @Test func `a tile shows what is off, a raised hand, and a picture that comes`() throws {
        var ben = Self.ben
        (ben.microphone, ben.hand, ben.camera) = (false, true, true)
        let tile = try #require(try group([ben, Self.cleo], pictures: [2]).tiles.first)
        #expect(tile.description == "Ben, microphone off, hand raised")
        #expect(tile.showsVideo && !tile.showsSpeaking)
        #expect(try group([ben, Self.cleo]).tiles.first?.showsVideo == false, "none has come")
        ben.camera = false
        #expect(try group([ben, Self.cleo], pictures: [2]).tiles.first?.showsVideo == false, "it is off")
        // What somebody who is not heard yet has on is not known.
        let joining = try #require(
            try group([.someone(2, "Ben", .connecting, isMuted: true), Self.cleo]).tiles.first)
        #expect(!joining.isMuted)
    }

    @Test func `somebody who is not who they say is told of`() throws {
        var ben = Self.ben
        ben.isUntrusted = true
        let shown = try group([ben, Self.cleo])
        #expect(shown.tiles.first?.sentence == "Not who they say")
        #expect(shown.people[1].subtitle.hasPrefix("Not who they say"))
    }

    @Test func `who is muted by the system is shown as muted, and told of it while the call is on`() throws {
        let muted = call([Self.ben, Self.cleo]) { $0.isMicrophoneMutedBySystem = true }
        #expect(muted.systemMuteSentence == "The system has muted the microphone")
        #expect(muted.group?.tiles.last?.description == "You, microphone off")
        #expect(muted.group?.people.first?.isMuted == true)
        #expect(call([Self.ben, Self.cleo]).group?.people.first?.isMuted == false)
    }

    @Test func `the own picture is a tile among several and lies over that of one`() throws {
        let several = try group([Self.ben, Self.cleo], pictures: [1])
        #expect(several.tiles.map(\.name) == ["Ben", "Cleo", "You"] && several.preview == nil)
        let two = try group([Self.ben], arrangement: .two(.of(2)), pictures: [1])
        #expect(two.tiles.map(\.name) == ["Ben"] && two.preview?.isOwn == true)
        #expect(try group([Self.ben], arrangement: .two(.of(2))).preview == nil, "there is no picture")
        #expect(try group([.someone(2, "Ben", .left)], arrangement: .alone).tiles.map(\.name) == ["You"])
    }

    @Test(arguments: [
        (GroupCallUpdate.MemberStage.inviting, "Calling…"), (.ringing, "Ringing…"),
        (.unreachable, "Relay can’t be reached"), (.connecting, "Connecting…"), (.connected, "In the call"),
        (.reconnecting, "Reconnecting…"), (.left, "Has left"), (.removed, "Was removed"), (.declined, "Has declined"),
        (.busy, "Is in another call"), (.noAnswer, "Has not answered"), (.notReached, "Could not be reached"),
    ])
    func `the page of participants says where each stands`(_ stage: GroupCallUpdate.MemberStage, _ said: String) throws
    {
        #expect(try group([.someone(2, "Ben", stage)]).people[1].subtitle == said)
    }

    @Test func `participants are introduced or contacts, compared or not, and one is the host`() throws {
        var introduced = GroupSnapshot.Member(id: .of(2), name: "Ben", stage: .connected)
        introduced.isHost = true
        var cleo = Self.cleo
        cleo.contact?.isCompared = true
        let people = try group([introduced, cleo]).people
        #expect(people.map(\.name) == ["You", "Ben", "Cleo"])
        #expect(people.map(\.subtitle) == ["In the call", "In the call · Host · Introduced", "In the call"])
        #expect(people.map(\.isCompared) == [false, false, true])
        #expect(try group([Self.ben]) { $0.group?.isHost = true }.people[0].subtitle == "Host")
    }

    @Test func `of who was introduced the call's own mark counts, of a contact the contact's`() throws {
        var introduced = GroupSnapshot.Member(id: .of(2), name: "Ben", stage: .connected)
        var cleo = Self.cleo
        (introduced.isCompared, cleo.isCompared) = (true, true)
        #expect(try group([introduced, cleo]).people.map(\.isCompared) == [false, true, false])
    }

    @Test func `a code is compared with who is heard, not with who rings or has left, nor while it rings here`() throws
    {
        let members = [
            Self.ben, .someone(3, "Cleo", .reconnecting), .someone(4, "Dan", .inviting), .someone(5, "Eve", .left),
        ]
        #expect(try group(members).people.map(\.canCompare) == [false, true, true, false, false])
        #expect(try group(members, .ringingIn).people.allSatisfy { !$0.canCompare })
    }

    @Test func `only the host removes, and only who is there`() throws {
        let members = [Self.ben, Self.dan, .someone(5, "Eve", .left)]
        #expect(try group(members).people.map(\.canRemove) == [false, false, false, false])
        #expect(
            try group(members) { $0.group?.isHost = true }.people.map(\.canRemove) == [false, true, true, false])
    }

    @Test func `contacts who can join and are not there can be invited, until the call is full`() throws {
        var eve = ContactItem.someone("Eve")
        let frank = ContactItem.someone("Frank", takes: false)
        let contacts = [ContactItem.someone("Ben"), eve, frank]
        #expect(try group([Self.ben], contacts: contacts).guests.map(\.name) == ["Eve"])
        #expect(try group([.someone(2, "Ben", .declined)], contacts: contacts).guests.map(\.name) == ["Ben", "Eve"])
        #expect(try group([Self.ben, Self.cleo, Self.dan], contacts: contacts).guests == [])
        #expect(try group([Self.ben], .ringingIn, contacts: contacts).guests == [])
        eve.isBlocked = true
        #expect(try group([Self.ben], contacts: [eve]).guests == [])
    }

    @Test func `who is not the host can invite as many as the call takes`() throws {
        let contacts = [ContactItem.someone("Eve")]
        let four = [Self.ben, Self.cleo, Self.dan]
        #expect(try group(four, contacts: contacts) { $0.group?.capacity = 8 }.guests.map(\.name) == ["Eve"])
        let eight = four + (5...8).map { GroupSnapshot.Member.someone($0, "G\($0)", .connected) }
        #expect(try group(eight, contacts: contacts) { $0.group?.capacity = 8 }.guests == [])
    }

    @Test func `what several are chosen for depends on how many and on all of them`() {
        let (ben, cleo, dan, eve) = (
            ContactItem.someone("Ben"), ContactItem.someone("Cleo"), ContactItem.someone("Dan"),
            ContactItem.someone("Eve")
        )
        let old = ContactItem.someone("Otto", takes: false)
        let cases: [([ContactItem], Bool, String)] = [
            ([], false, "0 selected"), ([ben], true, "1 selected"), ([ben, cleo, dan], true, "3 selected"),
            ([ben, cleo, dan, eve], false, "4 selected · at most 3 can be called together"),
            ([ben, old], false, "2 selected · Otto can’t join calls of several people"),
        ]
        for (chosen, canCall, sentence) in cases {
            let choice = TogetherChoice(chosen, takesGroupCalls: true)
            #expect(choice.isOffered && choice.canCall == canCall && choice.sentence == sentence)
        }
        // With a call server.
        let seven = (1...7).map { ContactItem.someone("Guest \($0)") }
        #expect(TogetherChoice(seven, takesGroupCalls: true, most: 8).canCall)
        let eight = TogetherChoice(seven + [ben], takesGroupCalls: true, most: 8)
        #expect(!eight.canCall && eight.sentence == "8 selected · at most 7 can be called together")
        let off = TogetherChoice([ben, old], takesGroupCalls: false)
        #expect(!off.isOffered && !off.canCall && off.sentence == "2 selected")
    }

    @Test func `where there is room for one it is who speaks, and nobody else than the others`() throws {
        func speaker(_ number: Int?) throws -> String? {
            var snapshot = CallSnapshot(stage: .active(since: start))
            snapshot.group = GroupSnapshot(own: .of(1), members: [Self.ben, Self.cleo])
            var group = GroupPresentation.Surroundings()
            group.arrangement = .soundGrid([.of(1), .of(2), .of(3)], columns: 2)
            group.speaker = number.map(MemberNumber.of)
            return try #require(snapshot.group.map { GroupPresentation($0, own: snapshot, group) }).speaker?.name
        }
        #expect(try speaker(3) == "Cleo")
        #expect(try speaker(nil) == "Ben")
        #expect(try speaker(1) == "Ben")
    }

    @Test func `who is pinned is large, as their tile and the page of participants say`() throws {
        let shown = try group([Self.ben, Self.cleo], arrangement: Self.large(3, 2, 1), pinned: 3)
        #expect(shown.layout == .spotlight && shown.tiles.map(\.name) == ["Cleo", "Ben", "You"])
        #expect(shown.tiles.map(\.description) == ["Cleo, pinned", "Ben", "You"])
        #expect(shown.people.map(\.pin) == [nil, "Pin Ben", "Unpin Cleo"])
        #expect(shown.view?.label == "Show everybody at the same size")
        let grid = try group([Self.ben, Self.cleo])
        #expect(grid.layout == .grid(columns: 2) && grid.people.map(\.pin) == [nil, "Pin Ben", "Pin Cleo"])
        #expect(grid.view?.label == "Show whoever speaks large")
    }

    @Test func `one of several others can be pinned while they are there, and never the person here`() throws {
        let some = try group(
            [Self.ben, Self.dan, .someone(5, "Eve", .left)],
            arrangement: .soundGrid([.of(2), .of(4), .of(1)], columns: 2))
        #expect(some.tiles.last?.isOwn == true && some.tiles.last?.canPin == false)
        #expect(some.people.map(\.pin) == [nil, "Pin Ben", "Pin Dan", nil])
        let two = call([Self.ben], arrangement: .two(.of(2)), pinned: 2)
        #expect(two.group?.view == nil && !two.controls.canChooseView)
        #expect(two.group?.tiles.map(\.description) == ["Ben"] && two.group?.people.map(\.pin) == [nil, nil])
        #expect(call([Self.ben, Self.dan]).controls.canChooseView)
        #expect(!call([Self.ben, Self.dan], .ringingIn).controls.canChooseView)
    }

    @Test func `everybody who is heard has a volume, and one that was changed is said`() throws {
        var ben = Self.ben
        ben.volume = 0.4
        var cleo = GroupSnapshot.Member.someone(3, "Cleo", .reconnecting)
        (cleo.isHost, cleo.volume) = (true, 0)
        let people = try group([ben, cleo, Self.dan]).people
        #expect(people.map(\.volume) == [nil, 0.4, 0, nil])
        #expect(
            people.map(\.subtitle) == [
                "In the call", "In the call · Volume 40 percent", "Reconnecting… · Host · Volume 0 percent", "Calling…",
            ])
        ben.isUntrusted = true
        #expect(try group([ben, cleo]).people[1].volume == nil, "who is not who they say is not heard")
        #expect(try group([Self.ben], arrangement: .two(.of(2))).people.map(\.volume) == [nil, 1])
    }

    private static func screen(_ large: Int, _ others: Int...) -> GroupLayout.Arrangement {
        .spotlight(.screen(.of(large)), others: others.map(MemberNumber.of))
    }

    private static var sharing: GroupSnapshot.Member {
        var cleo = cleo
        cleo.screen = true
        return cleo
    }

    @Test func `a screen is seen with the camera off, large, and in the one place there is, as its tile says`() throws {
        let shown = try group([Self.ben, Self.sharing], arrangement: Self.screen(3, 2, 1), pictures: [3])
        let tile = try #require(shown.tiles.first)
        #expect(tile.showsVideo && tile.showsScreen && tile.description == "Cleo, shares a screen")
        #expect(shown.layout == .spotlight && shown.speaker?.name == "Cleo")
        #expect(shown.people[2].subtitle == "In the call · Shares a screen")
        let grid = try group([Self.ben, Self.sharing], pictures: [3])
        #expect(grid.view?.label == "Show the shared screen large" && grid.speaker?.name == "Ben")
        var stranger = Self.sharing
        stranger.isUntrusted = true
        #expect(try group([Self.ben, stranger], pictures: [3]).tiles[1].showsScreen == false)
        #expect(try group([Self.ben, Self.sharing]).tiles[1].showsScreen == false, "none has come")
    }

    @Test func `it is said who shares a screen, and how all are shown where that was chosen`() {
        let grid = call([Self.ben, Self.cleo])
        let screen = call([Self.ben, Self.sharing], arrangement: Self.screen(3, 2, 1), pictures: [3])
        let declined = call([Self.ben, Self.sharing], pictures: [3])
        let steps: [(CallPresentation, CallPresentation, [String])] = [
            (grid, screen, ["Cleo shares a screen"]), (screen, grid, ["Cleo does not share a screen any more"]),
            (screen, declined, ["Everybody is shown at the same size"]),
            (declined, screen, ["The shared screen is shown large"]),
            (
                grid, call([Self.ben, Self.cleo]) { $0.sharing = .on(withSound: false) },
                ["You are sharing your screen"]
            ),
        ]
        for (former, now, said) in steps {
            #expect(CallAnnouncement.changes(from: former, to: now).map(\.sentence) == said)
        }
    }

    @Test func `those are seen who have a tile, or the one in the small window, or nobody behind the participants`()
        throws
    {
        let shown = try group([Self.ben, Self.cleo])
        #expect(shown.seen(in: .tiles) == [.of(1), .of(2), .of(3)])
        #expect(shown.seen(in: .small) == [.of(2)])
        #expect(shown.seen(in: .people) == [])
        let sharing = try group([Self.ben, Self.sharing], arrangement: Self.screen(3, 2, 1), pictures: [3])
        #expect(sharing.seen(in: .small) == [.of(3)])
    }

    @Test func `it is said who is pinned and how all are shown, and not that another one speaks`() {
        let both = [Self.ben, Self.cleo]
        let grid = call(both)
        let (ben, cleo) = (call(both, arrangement: Self.large(2, 3, 1)), call(both, arrangement: Self.large(3, 2, 1)))
        let pinned = call(both, arrangement: Self.large(3, 2, 1), pinned: 3)
        let other = call(both, arrangement: Self.large(2, 3, 1), pinned: 2)
        let steps: [(CallPresentation, CallPresentation, [String])] = [
            (grid, pinned, ["Cleo is pinned"]), (pinned, other, ["Ben is pinned"]), (cleo, pinned, ["Cleo is pinned"]),
            (pinned, grid, ["Everybody is shown at the same size"]), (grid, ben, ["Whoever speaks is shown large"]),
            (pinned, cleo, ["Whoever speaks is shown large"]), (ben, cleo, []),
            (ben, grid, ["Everybody is shown at the same size"]),
            (pinned, call([Self.ben, .someone(3, "Cleo", .left)], arrangement: .two(.of(2))), ["Cleo left the call."]),
        ]
        for (former, now, said) in steps {
            #expect(CallAnnouncement.changes(from: former, to: now).map(\.sentence) == said)
        }
    }

    @Test func `a call of several has a hand and shares screens, and has neither hold nor connection`() {
        let controls = call([Self.ben]).controls
        #expect(controls.hand?.label == "Raise your hand" && controls.hand?.isEnabled == true)
        #expect(!controls.hold.isEnabled && controls.share.isEnabled && !controls.speaker.isEnabled)
        #expect(!call([Self.ben], .ringingOut).controls.share.isEnabled)
        #expect(
            call([Self.ben]) { $0.sharing = .on(withSound: false) }.controls.share.label == "Stop sharing your screen")
        #expect(call([Self.ben]) { $0.group?.hasRaisedHand = true }.controls.hand?.label == "Lower your hand")
        #expect(call([Self.ben], .ringingIn).controls.hand?.isEnabled == false)
    }

    @Test func `it is said who comes, goes, mutes and raises a hand`() {
        var muted = Self.ben
        muted.microphone = false
        var raised = Self.ben
        raised.hand = true
        let left = GroupSnapshot.Member.someone(2, "Ben", .left)
        let steps: [([GroupSnapshot.Member], [GroupSnapshot.Member], [String])] = [
            ([.someone(2, "Ben", .inviting)], [Self.ben], ["Ben is in the call."]),
            ([Self.ben], [muted], ["Ben’s microphone is off"]), ([muted], [Self.ben], ["Ben’s microphone is on"]),
            ([Self.ben], [raised], ["Ben raises a hand"]), ([raised], [Self.ben], []),
            ([Self.ben], [left], ["Ben left the call."]), ([], [Self.dan], ["Dan is being called."]),
            ([Self.dan], [.someone(4, "Dan", .ringing)], ["It is ringing at Dan’s side."]),
            (
                [Self.dan], [.someone(4, "Dan", .unreachable)],
                ["Dan can’t be reached yet: their relay does not answer."]
            ),
        ]
        for (former, now, said) in steps {
            // Cleo stays.
            let news = CallAnnouncement.changes(from: call(former + [Self.cleo]), to: call(now + [Self.cleo]))
            #expect(news.map(\.sentence) == said)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct TileGridTests {
    @Test(arguments: [
        (1, 1, false, ["0,0"]), (2, 2, false, ["0,0", "2,0"]), (2, 2, true, ["0,0", "0,1"]),
        (3, 2, false, ["0,0", "2,0", "1,1"]), (4, 2, true, ["0,0", "2,0", "0,1", "2,1"]),
        (5, 3, false, ["0,0", "2,0", "4,0", "1,1", "3,1"]), (5, 3, true, ["0,0", "2,0", "0,1", "2,1", "1,2"]),
        (0, 2, false, []),
    ])
    func `tiles go row by row, the last in the middle, and a high window has a high grid`(
        _ count: Int, _ columns: Int, _ isHigh: Bool, _ places: [String]
    ) {
        #expect(TileGrid.places(of: count, columns: columns, isHigh: isHigh).map { "\($0.column),\($0.row)" } == places)
    }
}

extension TileGridTests {
    @Test(arguments: [
        (2, false, ["0,0 3x6", "3,1 1x2", "3,3 1x2"]), (3, false, ["0,0 3x6", "3,0 1x2", "3,2 1x2", "3,4 1x2"]),
        (2, true, ["0,0 6x3", "1,3 2x1", "3,3 2x1"]), (3, true, ["0,0 6x3", "0,3 2x1", "2,3 2x1", "4,3 2x1"]),
        (0, false, ["0,0 3x6"]),
    ])
    func `one is large with the small ones in the middle beside it, or below it in a high window`(
        _ count: Int, _ isHigh: Bool, _ places: [String]
    ) {
        let shown = TileGrid.spotlight(over: count, isHigh: isHigh)
        #expect(shown.map { "\($0.column),\($0.row) \($0.width)x\($0.height)" } == places)
    }

    @Test(arguments: 0...8, [false, true]) func `no two tiles lie over each other, and no line is empty`(
        _ count: Int, _ isHigh: Bool
    ) {
        let places = TileGrid.spotlight(over: count, isHigh: isHigh)
        let cells = places.flatMap { place in
            (0..<place.width).flatMap { x in (0..<place.height).map { [place.column + x, place.row + $0] } }
        }
        #expect(places.count == count + 1 && Set(cells).count == cells.count)
        for axis in 0...1 { #expect(Set(cells.map { $0[axis] }) == Set(0...(cells.map { $0[axis] }.max() ?? 0))) }
    }
}

extension MemberNumber {
    /// A number that there is.
    static func of(_ value: Int) -> MemberNumber { MemberNumber(value) ?? .first }
}

extension ContactItem {
    /// A contact who can be called together with others, or can't.
    static func someone(_ name: String, takes: Bool = true) -> ContactItem {
        var contact = ContactItem(id: name, name: name, isTestCall: false, isConnected: true)
        contact.takesGroupCalls = takes
        return contact
    }
}

extension GroupSnapshot.Member {
    /// A member who is a contact.
    static func someone(
        _ number: Int, _ name: String, _ stage: GroupCallUpdate.MemberStage, isMuted: Bool = false
    ) -> GroupSnapshot.Member {
        var member = GroupSnapshot.Member(id: .of(number), name: name, stage: stage)
        member.contact = .someone(name)
        member.microphone = !isMuted
        return member
    }
}
