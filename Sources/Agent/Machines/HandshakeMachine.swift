import AgentProtocol

/// How two queues and a ratchet become a connection, for both roles, fast and classic.
///
/// Pure: an event goes in, actions come out. The state is stored between steps; after a restart `resume()` names what was
/// under way, and every action may be carried out twice without harm (Agent fact sheet §4.4).
struct HandshakeMachine: Equatable, Sendable {
    let role: Role
    private(set) var state: State
    /// Whether the queue this side sends to is in messaging mode (secured by SKEY).
    var peerQueueIsFast: Bool
    /// Whether the queue this side receives on is in messaging mode.
    var ownQueueIsFast: Bool
    /// The agreed agent version.
    var agentVersion: UInt16

    /// A handshake as stored.
    init(role: Role, state: State, peerQueueIsFast: Bool, ownQueueIsFast: Bool, agentVersion: UInt16) {
        self.role = role
        self.state = state
        self.peerQueueIsFast = peerQueueIsFast
        self.ownQueueIsFast = ownQueueIsFast
        self.agentVersion = agentVersion
    }

    /// A new joiner; the first actions come from `resume()`.
    ///
    /// - Parameter isSecured: whether the peer's queue has this side's key already.
    static func joiner(peerQueueIsFast: Bool, isSecured: Bool = false, agentVersion: UInt16) -> HandshakeMachine {
        HandshakeMachine(
            role: .joiner, state: peerQueueIsFast && !isSecured ? .securing : .preparing,
            peerQueueIsFast: peerQueueIsFast,
            ownQueueIsFast: true, agentVersion: agentVersion)
    }

    /// One that asks at a contact address: its link goes there. The first actions come from `resume()`.
    static func requester(agentVersion: UInt16) -> HandshakeMachine {
        HandshakeMachine(
            role: .initiator, state: .preparingRequest, peerQueueIsFast: true, ownQueueIsFast: true,
            agentVersion: agentVersion)
    }

    /// A new initiator with its link out.
    static func initiator(ownQueueIsFast: Bool, agentVersion: UInt16) -> HandshakeMachine {
        HandshakeMachine(
            role: .initiator, state: .invited, peerQueueIsFast: true, ownQueueIsFast: ownQueueIsFast,
            agentVersion: agentVersion)
    }

    /// What may leave on the send queue in this state.
    var gate: DeliveryMachine.Gate {
        switch state {
        case .invited, .confirmed, .allowing, .securing, .preparing, .preparingRequest, .failed: .closed
        case .requesting, .confirming, .securingReply, .greeting, .awaitingHello: .handshakeOnly
        // From version 7 the initiator keeps the ratchet from the confirmation on (Agent fact sheet §4.1).
        case .awaitingConfirmation: peerQueueIsFast && agentVersion >= 7 ? .open : .handshakeOnly
        case .connected: .open
        }
    }

    /// Whether the application may queue messages.
    var takesMessages: Bool {
        switch state {
        case .invited, .preparingRequest, .requesting, .confirmed, .failed: false
        case .allowing, .securing, .preparing, .securingReply, .confirming, .awaitingConfirmation, .greeting,
            .awaitingHello, .connected:
            true
        }
    }

    /// Whether what answers a message may be queued. A joiner may send as soon as its confirmation is out, so before the
    /// application here has allowed it.
    var takesAnswers: Bool { state == .confirmed || takesMessages }

    /// Whether the own queue is being made.
    var awaitsOwnQueue: Bool { state == .preparing || state == .preparingRequest }

    /// The actions under way in this state, for a client that has just started. Queued messages resume by themselves.
    func resume() -> [Action] {
        if let relayStep { return [.relay(relayStep)] }
        return state == .confirmed ? [.askApplication] : []
    }

    /// What relays are being asked for in this state; nil for nothing.
    var relayStep: RelayStep? {
        switch state {
        case .allowing: .secure(own: !ownQueueIsFast, peer: peerQueueIsFast)
        case .securing: .secure(own: false, peer: true)
        case .preparing, .preparingRequest: .createReplyQueue
        case .securingReply: .secure(own: true, peer: false)
        case .invited, .confirmed, .requesting, .confirming, .awaitingConfirmation, .greeting, .awaitingHello,
            .connected, .failed:
            nil
        }
    }

    /// The peer has shown its own maximum in a message (Agent fact sheet §3).
    mutating func raiseVersion(to peerMaximum: UInt16) {
        agentVersion = max(agentVersion, min(AgentVersions.supported.maximum, peerMaximum))
    }

    // MARK: Events from the application

    /// The application accepts the joiner. Nil when there is nothing to allow.
    mutating func allow() -> [Action]? {
        switch state {
        case .confirmed:
            state = .allowing
            guard !ownQueueIsFast || peerQueueIsFast else { return secured() }
            return resume()
        case .allowing, .confirming, .greeting, .awaitingHello, .connected:
            // Said twice: the first one counts.
            return role == .initiator ? [] : nil
        case .invited, .preparingRequest, .requesting, .securing, .preparing, .securingReply, .awaitingConfirmation,
            .failed:
            return nil
        }
    }

    // MARK: Events from the relays

    /// The keys asked for by `Action.secure` are set.
    mutating func secured() -> [Action] {
        switch state {
        case .allowing:
            state = .confirming
            return [.sendConfirmation]
        case .securing:
            state = .preparing
            return [.createReplyQueue]
        case .securingReply:
            state = .greeting
            return [.sendHello]
        case .invited, .preparingRequest, .requesting, .confirmed, .preparing, .confirming, .awaitingConfirmation,
            .greeting, .awaitingHello, .connected, .failed:
            return []
        }
    }

    /// The joiner's or the requester's own queue exists.
    mutating func replyQueueCreated(isFast: Bool) -> [Action] {
        guard awaitsOwnQueue else { return [] }
        ownQueueIsFast = isFast
        switch state {
        case .preparing:
            state = .confirming
            return [.sendConfirmation]
        case .preparingRequest:
            state = .requesting
            return [.sendRequest]
        case .invited, .requesting, .confirmed, .allowing, .securing, .securingReply, .confirming,
            .awaitingConfirmation, .greeting, .awaitingHello, .connected, .failed:
            return []
        }
    }

    /// The relay of a contact address took the request: now it is a link like any other.
    mutating func requestAccepted() {
        if state == .requesting { state = .invited }
    }

    /// The peer's relay took the own confirmation.
    mutating func confirmationAccepted() -> [Action] {
        guard state == .confirming else { return [] }
        switch role {
        case .joiner:
            state = .awaitingConfirmation
            return []
        case .initiator:
            state = peerQueueIsFast ? .connected : .awaitingHello
            return state == .connected ? [.reportConnected] : []
        }
    }

    /// The peer's relay took the own HELLO.
    mutating func helloAccepted() -> [Action] {
        guard state == .greeting else { return [] }
        switch role {
        case .joiner:
            state = .awaitingHello
            return []
        case .initiator:
            state = .connected
            return [.reportConnected]
        }
    }

    /// A step with a relay or a handshake message failed for good.
    mutating func failed(_ failure: DeliveryFailure) -> [Action] {
        switch state {
        case .connected, .failed:
            return []
        case .invited, .preparingRequest, .requesting, .confirmed, .allowing, .securing, .preparing, .securingReply,
            .confirming, .awaitingConfirmation, .greeting, .awaitingHello:
            state = .failed
            return [.reportFailed(failure)]
        }
    }

    // MARK: Events from the peer

    /// A confirmation that decrypted came in on the own queue.
    ///
    /// - Parameter senderKey: whether it carries a key to set on the own queue (classic handshake).
    mutating func confirmationReceived(senderKey: Bool) -> Verdict {
        guard senderKey || ownQueueIsFast else { return .refused }
        switch state {
        case .invited, .requesting:
            // While requesting: the OK of the request was lost or is late.
            state = .confirmed
            return .accepted([.askApplication])
        case .confirming where role == .joiner, .awaitingConfirmation:
            // While confirming: the OK of the own confirmation was lost or is late.
            guard ownQueueIsFast else {
                state = .securingReply
                return .accepted([.reportInformation, .secure(own: true, peer: false)])
            }
            state = .connected
            return .accepted([.reportInformation, .reportConnected])
        case .confirmed, .allowing, .securingReply, .confirming, .greeting, .awaitingHello, .connected:
            return .duplicate
        case .preparingRequest, .securing, .preparing, .failed:
            return .refused
        }
    }

    /// HELLO came in. Nil when it has no place in this handshake (acknowledge and ignore).
    mutating func helloReceived() -> [Action]? {
        switch (role, state) {
        case (.initiator, .awaitingHello), (.initiator, .confirming):
            guard !peerQueueIsFast else { return nil }
            state = .greeting
            return [.sendHello]
        case (.joiner, .awaitingHello), (.joiner, .greeting):
            state = .connected
            return [.reportConnected]
        case (_, .connected), (.initiator, .greeting):
            return []
        case (_, .invited), (_, .preparingRequest), (_, .requesting), (_, .confirmed), (_, .allowing), (_, .securing),
            (_, .preparing), (_, .securingReply),
            (_, .awaitingConfirmation), (_, .failed), (.joiner, .confirming):
            return nil
        }
    }
}
