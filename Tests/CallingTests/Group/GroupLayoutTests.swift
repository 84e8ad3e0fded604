import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("Layout of a group call", .timeLimit(.minutes(5)))
struct GroupLayoutTests {
    private func people(_ numbers: Int..., pictures: Set<Int> = [], screens: Set<Int> = []) -> [GroupLayout.Participant]
    {
        numbers.map {
            .init(member: GroupSamples.number($0), hasPicture: pictures.contains($0), hasScreen: screens.contains($0))
        }
    }

    private func members(_ numbers: Int...) -> [MemberNumber] { numbers.map { GroupSamples.number($0) } }

    @Test func `one other one is shown in full, several in a grid of pictures or of sound`() {
        var layout = GroupLayout()
        #expect(layout.arrange([], speaker: nil) == .alone)
        #expect(layout.arrange(people(2), speaker: nil) == .two(GroupSamples.number(2)))
        #expect(layout.arrange(people(2, 3), speaker: nil) == .soundGrid(members(2, 3), columns: 2))
        #expect(layout.arrange(people(2, 3, pictures: [3]), speaker: nil) == .pictureGrid(members(2, 3), columns: 2))
        #expect(
            layout.arrange(people(2, 3, 4, 5, 6, pictures: [3]), speaker: nil)
                == .pictureGrid(members(2, 3, 4, 5, 6), columns: 3))
        #expect(
            layout.arrange(people(2, 3, 4, 5, 6, 7, 8, 9, 10, 11), speaker: nil)
                == .soundGrid(members(2, 3, 4, 5, 6, 7, 8, 9, 10), columns: 3))
    }

    @Test func `tiles keep their places whoever speaks, and close up only where somebody goes`() {
        var layout = GroupLayout()
        var generator = SeededGenerator(seed: 15)
        let present = people(5, 2, 9, 4)
        let first = layout.arrange(present, speaker: nil)
        for _ in 0..<50 {
            let speaker = present.randomElement(using: &generator)?.member
            #expect(layout.arrange(present.shuffled(using: &generator), speaker: speaker) == first)
        }
        #expect(layout.arrange(people(9, 4, 5), speaker: nil) == .soundGrid(members(5, 9, 4), columns: 2))
        #expect(layout.arrange(people(9, 4, 5, 2), speaker: nil) == .soundGrid(members(5, 9, 4, 2), columns: 2))
    }

    @Test func `beside who is large two change places when another one is, and nobody else moves`() {
        var layout = GroupLayout()
        layout.followSpeaker(true)
        func row(_ numbers: [Int], speaker: Int) -> [Int] {
            let people = numbers.map { GroupLayout.Participant(member: GroupSamples.number($0)) }
            guard
                case .spotlight(let large, let others) = layout.arrange(people, speaker: GroupSamples.number(speaker)),
                large == .member(GroupSamples.number(speaker))
            else { return [] }
            return others.map { Int($0.value) }
        }
        #expect(row([2, 3, 4, 5, 1], speaker: 2) == [3, 4, 5, 1])
        #expect(row([2, 3, 4, 5, 1], speaker: 4) == [3, 2, 5, 1])
        #expect(row([2, 3, 4, 5, 1], speaker: 3) == [4, 2, 5, 1])
        #expect(row([2, 3, 4, 5, 1], speaker: 3) == [4, 2, 5, 1])
        #expect(row([2, 3, 5, 1], speaker: 5) == [2, 3, 1], "who goes leaves no gap")
        #expect(row([2, 3, 5, 1, 6], speaker: 2) == [5, 3, 1, 6])
    }

    @Test func `whom the person chose is large, then a screen, then who speaks where that is wanted`() {
        var layout = GroupLayout()
        layout.followSpeaker(true)
        let (two, three, four) = (GroupSamples.number(2), GroupSamples.number(3), GroupSamples.number(4))
        #expect(
            layout.arrange(people(2, 3, 4), speaker: three) == .spotlight(.member(three), others: members(2, 4)))
        #expect(layout.arrange(people(2, 3, 4), speaker: nil) == .spotlight(.member(three), others: members(2, 4)))
        let sharing = people(2, 3, 4, screens: [4])
        #expect(layout.arrange(sharing, speaker: three) == .spotlight(.screen(four), others: members(2, 3)))
        layout.pin(.member(two))
        #expect(layout.arrange(sharing, speaker: three) == .spotlight(.member(two), others: members(4, 3)))
        layout.pin(nil)
        layout.followSpeaker(false)
        #expect(layout.arrange(people(2, 3), speaker: three) == .soundGrid(members(2, 3), columns: 2))
    }

    @Test func `the view goes from a screen to the grid and back, and a screen that is shared anew is large again`() {
        var layout = GroupLayout()
        let four = GroupSamples.number(4)
        let sharing = people(2, 3, 4, pictures: [4], screens: [4])
        let (screen, grid) = (
            GroupLayout.Arrangement.spotlight(.screen(four), others: members(2, 3)),
            GroupLayout.Arrangement.pictureGrid(members(2, 3, 4), columns: 2)
        )
        #expect(layout.arrange(sharing, speaker: nil) == screen)
        layout.toggle()
        for _ in 0..<2 { #expect(layout.arrange(sharing, speaker: GroupSamples.number(3)) == grid) }
        layout.toggle()
        #expect(layout.arrange(sharing, speaker: nil) == screen)
        layout.toggle()
        #expect(layout.arrange(sharing, speaker: nil) == grid)
        _ = layout.arrange(people(2, 3, 4), speaker: nil)
        #expect(layout.arrange(sharing, speaker: nil) == screen)
        #expect(!layout.followsSpeaker)
        // Without a screen it goes to who speaks and back.
        _ = layout.arrange(people(2, 3, 4), speaker: nil)
        layout.toggle()
        #expect(layout.arrange(people(2, 3, 4), speaker: four) == .spotlight(.member(four), others: members(2, 3)))
        layout.toggle()
        #expect(layout.arrange(people(2, 3, 4), speaker: four) == .soundGrid(members(2, 3, 4), columns: 2))
    }

    @Test func `the only other one's screen is large alone`() {
        var layout = GroupLayout()
        let two = GroupSamples.number(2)
        #expect(layout.arrange(people(2, screens: [2]), speaker: nil) == .spotlight(.screen(two), others: []))
    }

    @Test func `who was chosen and has gone is large no more, nor after coming back`() {
        var layout = GroupLayout()
        let nine = GroupSamples.number(9)
        layout.pin(.member(nine))
        #expect(layout.arrange(people(2, 3, 9), speaker: nil) == .spotlight(.member(nine), others: members(2, 3)))
        #expect(layout.arrange(people(2, 3), speaker: nil) == .soundGrid(members(2, 3), columns: 2))
        #expect(layout.pinned == nil)
        #expect(layout.arrange(people(2, 3, 9), speaker: nil) == .soundGrid(members(2, 3, 9), columns: 2))
    }

    @Test func `the only other one is as large as can be, chosen or not`() {
        var layout = GroupLayout()
        layout.pin(.member(GroupSamples.number(2)))
        layout.followSpeaker(true)
        #expect(layout.arrange(people(2), speaker: GroupSamples.number(2)) == .two(GroupSamples.number(2)))
    }

    @Test func `before anybody has spoken who is named first is large`() {
        var layout = GroupLayout()
        layout.followSpeaker(true)
        _ = layout.arrange(people(2, 1, 3), speaker: nil)
        let three = GroupSamples.number(3)
        #expect(layout.arrange(people(3, 1), speaker: nil) == .spotlight(.member(three), others: members(1)))
    }
}
