import Calling
import MediaRules
import Signaling
import Testing

@testable import ParleyCLI

/// Who counts as seen and heard by everybody.
@Suite(.timeLimit(.minutes(1))) struct GroupLedgerTests {
    private static let (own, ben, cleo) = (MemberNumber.first, number(2), number(3))

    private static func number(_ value: Int) -> MemberNumber {
        guard let number = MemberNumber(value) else { preconditionFailure("\(value) is a number") }
        return number
    }

    private static func all(_ counts: Int = 1) -> MediaStatistics.Direction {
        var received = MediaStatistics.Direction()
        (received.videoFrames, received.audioFrames) = (counts, counts)
        return received
    }

    private static func ben(
        _ stage: GroupCallUpdate.MemberStage = .connected, heard: Set<MemberNumber>, seen: Set<MemberNumber>
    ) -> GroupLedger.Presence {
        GroupLedger.Presence(number: ben, name: "Ben", stage: stage, heard: heard, seen: seen)
    }

    private static func cleo(
        _ stage: GroupCallUpdate.MemberStage = .connected, met: Set<MemberNumber>
    ) -> GroupLedger.Presence {
        GroupLedger.Presence(number: cleo, name: "Cleo", stage: stage, heard: met, seen: met)
    }

    private static func ledger(_ notes: [GroupLedger.Presence]...) -> GroupLedger {
        var ledger = GroupLedger()
        for note in notes { ledger.note(note, own: own) }
        for member in [ben, cleo] { ledger.count(all(), of: member) }
        return ledger
    }

    @Test func `a call is complete when everybody has met everybody`() {
        let ledger = Self.ledger([
            Self.ben(heard: [Self.own, Self.cleo], seen: [Self.own, Self.cleo]), Self.cleo(met: [Self.own, Self.ben]),
        ])
        #expect(ledger.isComplete(.video))
    }

    @Test func `who has not heard another member leaves it incomplete`() {
        let ledger = Self.ledger([
            Self.ben(heard: [Self.own], seen: [Self.own, Self.cleo]), Self.cleo(met: [Self.own, Self.ben]),
        ])
        #expect(!ledger.isComplete(.audio) && !ledger.isComplete(.video))
        #expect(ledger.entries[Self.ben].map { ledger.unmet(by: $0, .video) } == [Self.cleo])
    }

    @Test func `who has not seen the own side leaves a call with pictures incomplete`() {
        let ledger = Self.ledger([
            Self.ben(heard: [Self.own, Self.cleo], seen: [Self.cleo]), Self.cleo(met: [Self.own, Self.ben]),
        ])
        #expect(ledger.isComplete(.audio) && !ledger.isComplete(.video))
    }

    @Test func `who was never in at the same time has nothing to meet`() {
        let ledger = Self.ledger(
            [Self.ben(heard: [Self.own], seen: [Self.own])],
            [Self.ben(.left, heard: [], seen: []), Self.cleo(met: [Self.own])])
        #expect(ledger.isComplete(.video))
    }

    @Test func `what a member said before it came back counts`() {
        let ledger = Self.ledger(
            [
                Self.ben(heard: [Self.own, Self.cleo], seen: [Self.own, Self.cleo]),
                Self.cleo(met: [Self.own, Self.ben]),
            ],
            [Self.ben(heard: [], seen: []), Self.cleo(met: [])])
        #expect(ledger.isComplete(.video))
    }

    @Test func `who was in and was not seen here leaves it incomplete`() {
        var ledger = GroupLedger()
        ledger.note([Self.ben(heard: [Self.own], seen: [Self.own])], own: Self.own)
        #expect(!ledger.isComplete(.audio))
        var sound = MediaStatistics.Direction()
        sound.audioFrames = 1
        ledger.count(sound, of: Self.ben)
        #expect(ledger.isComplete(.audio) && !ledger.isComplete(.video))
    }
}
