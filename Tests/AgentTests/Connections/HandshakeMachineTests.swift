import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct HandshakeMachineTests {
    @Test func `who makes a fast queue secures the peer's, and is connected once its confirmation is taken`() {
        var machine = HandshakeMachine.initiator(ownQueueIsFast: true, agentVersion: 7)
        #expect(machine.gate == .closed)
        #expect(!machine.takesMessages)
        #expect(machine.confirmationReceived(senderKey: false) == .accepted([.askApplication]))
        #expect(machine.allow() == [.secure(own: false, peer: true)])
        #expect(machine.secured() == [.sendConfirmation])
        #expect(machine.gate == .handshakeOnly)
        #expect(machine.confirmationAccepted() == [.reportConnected])
        #expect(machine.gate == .open)
        #expect(machine.state == .connected)
    }

    @Test func `who joins a fast queue secures it, confirms, and is connected by the peer's confirmation`() {
        var machine = HandshakeMachine.joiner(peerQueueIsFast: true, agentVersion: 7)
        #expect(machine.resume() == [.secure(own: false, peer: true)])
        #expect(machine.secured() == [.createReplyQueue])
        #expect(machine.replyQueueCreated(isFast: true) == [.sendConfirmation])
        #expect(machine.gate == .handshakeOnly)
        #expect(machine.confirmationAccepted() == [])
        #expect(machine.gate == .open)
        #expect(
            machine.confirmationReceived(senderKey: false) == .accepted([.reportInformation, .reportConnected]))
        #expect(machine.state == .connected)
    }

    @Test(arguments: [2, 3, 4, 5, 6])
    func `before version seven the joiner keeps its messages until connected`(version: UInt16) {
        var machine = HandshakeMachine.joiner(peerQueueIsFast: true, agentVersion: version)
        _ = machine.secured()
        _ = machine.replyQueueCreated(isFast: true)
        _ = machine.confirmationAccepted()
        #expect(machine.gate == .handshakeOnly)
        #expect(machine.takesMessages)
        _ = machine.confirmationReceived(senderKey: false)
        #expect(machine.gate == .open)
    }

    @Test func `who makes a classic queue secures it, and is connected once both have said hello`() {
        var machine = HandshakeMachine.initiator(ownQueueIsFast: false, agentVersion: 2)
        machine.peerQueueIsFast = false
        #expect(machine.confirmationReceived(senderKey: true) == .accepted([.askApplication]))
        #expect(machine.allow() == [.secure(own: true, peer: false)])
        #expect(machine.secured() == [.sendConfirmation])
        #expect(machine.confirmationAccepted() == [])
        #expect(machine.helloReceived() == [.sendHello])
        #expect(machine.helloAccepted() == [.reportConnected])
    }

    @Test func `who joins a classic queue confirms, secures its own, and is connected once both have said hello`() {
        var machine = HandshakeMachine.joiner(peerQueueIsFast: false, agentVersion: 2)
        #expect(machine.resume() == [.createReplyQueue])
        #expect(machine.replyQueueCreated(isFast: false) == [.sendConfirmation])
        #expect(machine.confirmationAccepted() == [])
        #expect(machine.gate == .handshakeOnly)
        #expect(
            machine.confirmationReceived(senderKey: true)
                == .accepted([.reportInformation, .secure(own: true, peer: false)]))
        #expect(machine.secured() == [.sendHello])
        #expect(machine.helloAccepted() == [])
        #expect(machine.helloReceived() == [.reportConnected])
    }

    @Test func `a mixed run follows the mode of each queue`() {
        // The initiator's queue is old, the joiner's is in messaging mode.
        var initiator = HandshakeMachine.initiator(ownQueueIsFast: false, agentVersion: 6)
        initiator.peerQueueIsFast = true
        #expect(initiator.confirmationReceived(senderKey: true) == .accepted([.askApplication]))
        #expect(initiator.allow() == [.secure(own: true, peer: true)])
        #expect(initiator.secured() == [.sendConfirmation])
        #expect(initiator.confirmationAccepted() == [.reportConnected])

        var joiner = HandshakeMachine.joiner(peerQueueIsFast: false, agentVersion: 6)
        _ = joiner.replyQueueCreated(isFast: true)
        _ = joiner.confirmationAccepted()
        #expect(joiner.confirmationReceived(senderKey: false) == .accepted([.reportInformation, .reportConnected]))
    }

    @Test func `a repeated confirmation is a duplicate in every later state`() {
        var machine = HandshakeMachine.initiator(ownQueueIsFast: true, agentVersion: 7)
        _ = machine.confirmationReceived(senderKey: false)
        let steps: [(inout HandshakeMachine) -> Void] = [
            { _ = $0.allow() }, { _ = $0.secured() }, { _ = $0.confirmationAccepted() },
        ]
        #expect(machine.confirmationReceived(senderKey: false) == .duplicate)
        for step in steps {
            step(&machine)
            let before = machine
            #expect(machine.confirmationReceived(senderKey: false) == .duplicate)
            #expect(machine == before)
        }
    }

    @Test func `the answer may overtake the OK of the own confirmation`() {
        var machine = HandshakeMachine.joiner(peerQueueIsFast: true, agentVersion: 7)
        _ = machine.secured()
        _ = machine.replyQueueCreated(isFast: true)
        #expect(
            machine.confirmationReceived(senderKey: false) == .accepted([.reportInformation, .reportConnected]))
        #expect(machine.confirmationAccepted() == [])
        #expect(machine.state == .connected)
    }

    @Test func `hello may overtake the OK of the own confirmation`() {
        var machine = HandshakeMachine.initiator(ownQueueIsFast: false, agentVersion: 2)
        machine.peerQueueIsFast = false
        _ = machine.confirmationReceived(senderKey: true)
        _ = machine.allow()
        _ = machine.secured()
        #expect(machine.helloReceived() == [.sendHello])
        #expect(machine.confirmationAccepted() == [])
        #expect(machine.helloReceived() == [])
        #expect(machine.helloAccepted() == [.reportConnected])
    }

    @Test func `a confirmation without key on an old queue is refused`() {
        var machine = HandshakeMachine.initiator(ownQueueIsFast: false, agentVersion: 2)
        #expect(machine.confirmationReceived(senderKey: false) == .refused)
        #expect(machine.state == .invited)
    }

    @Test func `allowing twice counts once`() {
        var machine = HandshakeMachine.initiator(ownQueueIsFast: true, agentVersion: 7)
        #expect(machine.allow() == nil)
        _ = machine.confirmationReceived(senderKey: false)
        _ = machine.allow()
        #expect(machine.allow() == [])
    }

    @Test func `a refusal ends the handshake once and never a connection`() {
        var machine = HandshakeMachine.joiner(peerQueueIsFast: true, agentVersion: 7)
        #expect(machine.failed(.refused) == [.reportFailed(.refused)])
        #expect(machine.failed(.refused) == [])
        #expect(machine.gate == .closed)

        var connected = HandshakeMachine(
            role: .joiner, state: .connected, peerQueueIsFast: true, ownQueueIsFast: true, agentVersion: 7)
        #expect(connected.failed(.refused) == [])
        #expect(connected.state == .connected)
    }

    @Test(arguments: HandshakeMachine.State.allCases)
    func `a restart repeats exactly the step under way`(state: HandshakeMachine.State) {
        let machine = HandshakeMachine(
            role: .joiner, state: state, peerQueueIsFast: true, ownQueueIsFast: false, agentVersion: 7)
        let expected: [HandshakeMachine.Action] =
            switch state {
            case .allowing: [.secure(own: true, peer: true)]
            case .securing: [.secure(own: false, peer: true)]
            case .preparing: [.createReplyQueue]
            case .securingReply: [.secure(own: true, peer: false)]
            case .confirmed: [.askApplication]
            case .preparingRequest: [.createReplyQueue]
            case .invited, .requesting, .confirming, .awaitingConfirmation, .greeting, .awaitingHello, .connected,
                .failed:
                []
            }
        #expect(machine.resume() == expected)
    }

    @Test(arguments: HandshakeMachine.State.allCases)
    func `no event from outside leaves the connected or failed state`(state: HandshakeMachine.State) {
        for role in [HandshakeMachine.Role.initiator, .joiner] {
            var machine = HandshakeMachine(
                role: role, state: state, peerQueueIsFast: true, ownQueueIsFast: true, agentVersion: 7)
            _ = machine.confirmationReceived(senderKey: true)
            _ = machine.helloReceived()
            _ = machine.confirmationAccepted()
            _ = machine.helloAccepted()
            if state == .connected || state == .failed { #expect(machine.state == state) }
        }
    }

    @Test func `a requester makes its queue asks and then waits like any initiator`() {
        var machine = HandshakeMachine.requester(agentVersion: 7)
        #expect(machine.resume() == [.createReplyQueue])
        #expect(machine.gate == .closed)
        #expect(!machine.takesMessages)
        #expect(machine.replyQueueCreated(isFast: true) == [.sendRequest])
        #expect(machine.gate == .handshakeOnly)
        machine.requestAccepted()
        #expect(machine.state == .invited)
        #expect(machine.gate == .closed)
        #expect(machine.confirmationReceived(senderKey: false) == .accepted([.askApplication]))
        machine.requestAccepted()
        #expect(machine.state == .confirmed)
    }

    @Test func `the answer may come before the request was known to arrive`() {
        var machine = HandshakeMachine.requester(agentVersion: 7)
        _ = machine.replyQueueCreated(isFast: true)
        #expect(machine.confirmationReceived(senderKey: false) == .accepted([.askApplication]))
        #expect(machine.state == .confirmed)
    }

    @Test func `an address that is gone fails the request`() {
        var machine = HandshakeMachine.requester(agentVersion: 7)
        _ = machine.replyQueueCreated(isFast: true)
        #expect(machine.failed(.refused) == [.reportFailed(.refused)])
        #expect(machine.state == .failed)
    }
}
