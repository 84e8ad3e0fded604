import Testing

@testable import Agent
@testable import AgentProtocol

@Suite(.timeLimit(.minutes(5))) struct SynchronisationMachineTests {
    private func machine(_ state: RatchetSynchronisation) -> SynchronisationMachine {
        SynchronisationMachine(state: state)
    }

    @Test(arguments: [
        (RatchetError.authenticationFailed, RatchetSynchronisation.allowed), (.earlierMessage(2), .allowed),
        (.header, .required), (.tooManySkipped(600), .required),
    ])
    func `a failure to decrypt says how bad it is`(error: RatchetError, state: RatchetSynchronisation) {
        var machine = machine(.ok)
        #expect(machine.failed(error) == state)
        #expect(machine.state == state)
        #expect(machine.failed(error) == nil)
    }

    @Test func `an allowed repair becomes a required one and never the other way round`() {
        var machine = machine(.allowed)
        #expect(machine.failed(.header) == .required)
        #expect(machine.failed(.authenticationFailed) == nil)
        #expect(machine.state == .required)
    }

    @Test(arguments: [RatchetError.malformed, .duplicateMessage, .invalidKey, .postQuantumRequired])
    func `what new keys would not help changes nothing`(error: RatchetError) {
        var machine = machine(.ok)
        #expect(machine.failed(error) == nil)
        #expect(machine.state == .ok)
    }

    @Test func `only something wrong or force starts a repair`() {
        for state in RatchetSynchronisation.allCases {
            var plain = machine(state)
            #expect(plain.start() == [.allowed, .required, .outdated].contains(state))
            var forced = machine(state)
            let isStarted = forced.start(force: true)
            #expect(isStarted)
            #expect(forced.state == .started)
        }
    }

    @Test func `a decrypted message ends everything but a started repair`() {
        for state in RatchetSynchronisation.allCases {
            var machine = machine(state)
            let changes = [.allowed, .required, .agreed].contains(state)
            #expect(machine.decrypted() == (changes ? .ok : nil))
            #expect(machine.state == ([.started, .outdated].contains(state) ? state : .ok))
        }
    }

    @Test func `failures during a repair don't disturb it`() {
        for state in [RatchetSynchronisation.started, .agreed, .outdated] {
            var machine = machine(state)
            #expect(machine.failed(.header) == nil)
            #expect(machine.state == state)
        }
    }

    @Test(arguments: [true, false, nil])
    func `the peer's keys are answered`(answersOwn: Bool?) {
        for state in [RatchetSynchronisation.ok, .allowed, .required, .outdated] {
            var machine = machine(state)
            #expect(machine.keyReceived(answersOwn: answersOwn) == .answer)
            #expect(machine.state == .agreed)
        }
    }

    @Test(
        arguments: [(true, .conclude), (false, .concludeAgain), (nil, .conclude)]
            as [(Bool?, SynchronisationMachine.Verdict)])
    func `own keys go once more to a peer that says it has begun without them`(
        answersOwn: Bool?, verdict: SynchronisationMachine.Verdict
    ) {
        var machine = machine(.started)
        #expect(machine.keyReceived(answersOwn: answersOwn) == verdict)
        #expect(machine.state == .agreed)
    }

    @Test(
        arguments: [(true, .conclude), (false, .concludeAgain), (nil, .concludeAgain)]
            as [(Bool?, SynchronisationMachine.Verdict)])
    func `own keys go once more to a peer that begins anew unless it says that it has them`(
        answersOwn: Bool?, verdict: SynchronisationMachine.Verdict
    ) {
        var machine = machine(.agreed)
        #expect(machine.keyReceived(answersOwn: answersOwn) == verdict)
        #expect(machine.state == .agreed)
    }

    @Test func `exactly one side receives first`() {
        #expect(SynchronisationMachine.receivesFirst(ownHash: [1, 2], peerHash: [1, 3]))
        #expect(!SynchronisationMachine.receivesFirst(ownHash: [1, 3], peerHash: [1, 2]))
        #expect(SynchronisationMachine.receivesFirst(ownHash: [7], peerHash: [7]))
    }
}
