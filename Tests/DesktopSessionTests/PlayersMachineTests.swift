import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5))) struct PlayersMachineTests {
    private func player(
        _ owner: String, _ status: PlayersMachine.Status = .playing, canPause: Bool = true
    ) -> PlayersMachine.Player {
        PlayersMachine.Player(owner: owner, status: status, canPause: canPause)
    }

    @Test func `only what plays and can be paused is paused`() {
        var machine = PlayersMachine()
        let players = [player(":1"), player(":2", .paused), player(":3", .stopped), player(":4", canPause: false)]
        #expect(machine.begin(players) == [":1"])
    }

    @Test func `a player with two names is paused once`() {
        var machine = PlayersMachine()
        #expect(machine.begin([player(":1"), player(":1")]) == [":1"])
    }

    @Test func `what was paused may go on after the call, once`() {
        var machine = PlayersMachine()
        _ = machine.begin([player(":1"), player(":2")])
        machine.changed(":1", to: .paused)
        machine.changed(":2", to: .paused)
        #expect(machine.end() == [":1", ":2"])
        #expect(machine.end() == [])
    }

    @Test func `a player that says nothing of its pause may go on`() {
        var machine = PlayersMachine()
        _ = machine.begin([player(":1")])
        #expect(machine.end() == [":1"])
    }

    @Test func `what the person has started meanwhile stays theirs, even when they pause it again`() {
        var machine = PlayersMachine()
        _ = machine.begin([player(":1")])
        for status in [PlayersMachine.Status.paused, .playing, .paused] { machine.changed(":1", to: status) }
        #expect(machine.end() == [])
    }

    @Test func `what was still said before the pause is not the person's doing`() {
        var machine = PlayersMachine()
        _ = machine.begin([player(":1")])
        machine.changed(":1", to: .playing)
        machine.changed(":1", to: .paused)
        #expect(machine.end() == [":1"])
    }

    @Test(arguments: [PlayersMachine.Status.stopped, nil])
    func `what was stopped, or says nothing that can be understood, does not go on`(status: PlayersMachine.Status?) {
        var machine = PlayersMachine()
        _ = machine.begin([player(":1")])
        machine.changed(":1", to: status)
        #expect(machine.end() == [])
    }

    @Test func `players that nobody asked are nobody's business`() {
        var machine = PlayersMachine()
        _ = machine.begin([player(":1", .paused)])
        machine.changed(":1", to: .paused)
        machine.changed(":9", to: .paused)
        #expect(machine.end() == [])
    }

    /// Whatever players say and whenever calls come and go: nobody is told to play who was not told to pause since.
    @Test(arguments: 0..<50) func `who goes on was paused for this call`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = PlayersMachine()
        var asked: Set<String> = []
        let owners = [":1", ":2", ":3"]
        let statuses: [PlayersMachine.Status?] = [.playing, .paused, .stopped, nil]
        for _ in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let found = owners.compactMap { owner in
                    statuses.randomElement(using: &random)?.map {
                        player(owner, $0, canPause: Bool.random(using: &random))
                    }
                }
                asked.formUnion(machine.begin(found))
            case 1:
                #expect(asked.isSuperset(of: machine.end()))
                asked = []
            default:
                machine.changed(
                    owners[Int.random(in: 0..<3, using: &random)], to: statuses[Int.random(in: 0..<4, using: &random)])
            }
        }
    }
}
