import BaseKit

/// One transport of a call, from its making to its end: which state it is in, what its next step is, and whether media may flow.
///
/// | state | entered when | leaves for |
/// |---|---|---|
/// | gathering | it is made; descriptions are exchanged, own candidates found | negotiated |
/// | negotiated | both descriptions are set | connected |
/// | connected | ICE has found a path | verified |
/// | verified | DTLS stands and shows the announced certificate | carrying |
/// | carrying | its session sends on it | yielding |
/// | yielding | another one carries; what still comes here is taken | retired |
/// | retired | it is given up, failed or closed: from every state | – |
///
/// A certificate that is not the announced one, a failure and the end lead from every state to `retired`, which is final. The gate
/// for frames is opened by the one step to `verified`. Does no I/O.
package struct TransportMachine: Sendable {
    /// The states without what they carry.
    package enum Stage: Sendable, CaseIterable {
        case gathering, negotiated, connected, verified, carrying, yielding, retired
    }

    private enum State: Sendable {
        case gathering(Gathering)
        case negotiated(Agreement)
        case connected(Agreement)
        case verified
        case carrying(LossWatchdog)
        case yielding(since: Instant)
        case retired(wasVerified: Bool)
    }

    private struct Gathering: Sendable {
        var negotiation = NegotiationStage()
        /// What the peer's description announces.
        var fingerprint: Fingerprint?
    }

    /// What both descriptions have led to.
    private struct Agreement: Sendable {
        let fingerprint: Fingerprint
        /// When the second one was set.
        let since: Instant
    }

    /// The time that one which was replaced still takes what comes: as long once the peer is heard on its successor, and at most.
    static let overlap: (heard: Duration, longest: Duration) = (.milliseconds(500), .seconds(3))

    /// Whether it is its call's first: that one's progress is told step by step, and it has to be verified in time. A later one
    /// has its time in signaling.
    package let isFirst: Bool
    /// Whether a person is at the other end, and no server.
    private let isPair: Bool
    private var state = State.gathering(Gathering())
    private var local: LocalCandidates
    private var remote: RemoteCandidates
    /// Whether the peer has said on this one that the call is over.
    private var hasPeerLeft = false

    /// One that is to be negotiated.
    package init(isFirst: Bool, isPair: Bool, local: LocalCandidates, remote: RemoteCandidates) {
        (self.isFirst, self.isPair) = (isFirst, isPair)
        self.local = local
        self.remote = remote
    }

    // MARK: What it is

    package var stage: Stage {
        switch state {
        case .gathering: .gathering
        case .negotiated: .negotiated
        case .connected: .connected
        case .verified: .verified
        case .carrying: .carrying
        case .yielding: .yielding
        case .retired: .retired
        }
    }

    /// Whether the peer's certificate is the announced one, and media may flow.
    package var isVerified: Bool {
        switch state {
        case .verified, .carrying, .yielding: true
        case .gathering, .negotiated, .connected, .retired: false
        }
    }

    /// The same, also of one that has ended since.
    package var wasVerified: Bool { if case .retired(let wasVerified) = state { wasVerified } else { isVerified } }
    package var isRetired: Bool { stage == .retired }
    /// The m-lines' names, in order.
    package var mids: [String] { remote.mids }
    /// How many of the peer's candidates were not used.
    package var rejectedCandidates: Int { remote.rejected }
    /// Whether a relay gave a candidate.
    package var hasRelay: Bool { local.hasRelay }

    // MARK: Offer and answer

    /// Our offer is to be made.
    package mutating func beginOffer() throws(MediaError) {
        try negotiate(.underWay) { (gathering) throws(MediaError) in try gathering.negotiation.beginOffer() }
    }

    /// The peer's offer, with this fingerprint and these m-lines, is to be answered.
    package mutating func beginAnswer(_ fingerprint: Fingerprint, mids: [String]) throws(MediaError) {
        try negotiate(.unexpectedOffer) { (gathering) throws(MediaError) in
            try gathering.negotiation.beginAnswer()
            gathering.fingerprint = fingerprint
        }
        remote.mids = mids
    }

    /// Whether the peer's answer is expected now.
    package func expectAnswer() throws(MediaError) {
        guard case .gathering(let gathering) = state else { throw refusal(.unexpectedAnswer) }
        try gathering.negotiation.expectAnswer()
    }

    /// The peer's answer, with this fingerprint, is to be applied.
    package mutating func beginApplying(_ fingerprint: Fingerprint) throws(MediaError) {
        try negotiate(.unexpectedAnswer) { (gathering) throws(MediaError) in
            try gathering.negotiation.beginApplying()
            gathering.fingerprint = fingerprint
        }
    }

    /// Our description is about to be set, with which webrtcbin begins to gather.
    package mutating func gatheringBegan(now: Instant) {
        guard !isRetired else { return }
        local.began(now: now)
    }

    /// Our offer has been set: the answer may come.
    package mutating func offered() -> [TransportAction] {
        guard case .gathering(var gathering) = state else { return [] }
        gathering.negotiation.offered()
        state = .gathering(gathering)
        return [.look]
    }

    /// Both descriptions have been set; `candidates` are those that came with the peer's.
    package mutating func agreed(_ candidates: [MediaCandidate], now: Instant) -> [TransportAction] {
        guard case .gathering(var gathering) = state else { return [] }
        gathering.negotiation.agreed()
        guard gathering.negotiation.isAgreed, let fingerprint = gathering.fingerprint else { return [] }
        state = .negotiated(Agreement(fingerprint: fingerprint, since: now))
        return remote.begin(with: candidates) + [.look]
    }

    /// A step failed: no other may follow.
    package mutating func negotiationFailed() {
        guard case .gathering(var gathering) = state else { return }
        gathering.negotiation.failed()
        state = .gathering(gathering)
    }

    private mutating func negotiate(
        _ refusal: NegotiationFault, _ step: (inout Gathering) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard case .gathering(var gathering) = state else { throw self.refusal(refusal) }
        try step(&gathering)
        state = .gathering(gathering)
    }

    private func refusal(_ fault: NegotiationFault) -> MediaError { isRetired ? .closed : .negotiation(fault) }

    // MARK: Candidates

    /// Offer or answer wait for our first candidates.
    package mutating func awaitFirstBatch(now: Instant) -> [TransportAction] {
        guard !isRetired else { return [] }
        local.isAwaited = true
        return [.wake(at: now)]
    }

    /// webrtcbin found a candidate of ours.
    package mutating func found(_ candidate: MediaCandidate, now: Instant) -> Actions {
        guard isActive, let line = local.found(candidate) else { return Actions() }
        remote.add(own: line)
        return handOut(now: now)
    }

    /// webrtcbin said that there are no more.
    package mutating func gatheringCompleted(now: Instant) -> Actions {
        guard isActive else { return Actions() }
        local.completed(now: now)
        return handOut(now: now)
    }

    /// The time has come for which ``TransportAction/wake(at:)`` asked.
    package mutating func woke(now: Instant) -> Actions { isActive ? handOut(now: now) : Actions() }

    /// All tunnels to relays are out of use.
    package mutating func relaysLost(now: Instant) { local.relaysLost(now: now) }

    private mutating func handOut(now: Instant) -> Actions {
        var actions = Actions()
        while let output = local.next(now: now) {
            switch output {
            case .first(let batch): actions.transport.append(.handOver(batch))
            case .further(let batch): actions.session.append(.candidates(batch))
            case .wake(let time):
                actions.transport.append(.wake(at: time))
                return actions
            }
        }
        return actions
    }

    /// Further candidates of the peer came. Before its description they wait.
    package mutating func received(_ candidates: [MediaCandidate]) -> [TransportAction] {
        switch state {
        case .gathering:
            remote.keep(candidates)
            return []
        case .negotiated, .connected, .verified, .carrying: return remote.use(candidates)
        case .yielding, .retired: return []
        }
    }

    /// A hidden address of the peer is known now.
    package mutating func resolved(_ name: LocalName, _ address: String) -> Actions {
        switch state {
        case .negotiated, .connected, .verified, .carrying: Actions(transport: remote.resolved(name, address))
        case .gathering, .yielding, .retired: Actions()
        }
    }

    /// Whether it carries, or may come to.
    private var isActive: Bool {
        switch state {
        case .gathering, .negotiated, .connected, .verified, .carrying: true
        case .yielding, .retired: false
        }
    }

    // MARK: Path, channel and certificate

    /// A look at webrtcbin shows this.
    package mutating func saw(_ sight: TransportSight, now: Instant) -> Actions {
        switch state {
        case .negotiated(let agreement): return search(sight, agreement, now: now)
        case .connected(let agreement):
            return sight.path == .failed ? fail(.unreachable) : verify(sight, agreement)
        case .carrying(var watchdog):
            // Browsers end a call so. One that another replaces is left without a word.
            if sight.channels.contains(.over) { return peerLeft() }
            // The path has gone, which is no reason to end the call: another may be found.
            guard sight.path == .failed else { return Actions() }
            let change = watchdog.lose()
            state = .carrying(watchdog)
            return told(change)
        case .gathering, .verified, .yielding, .retired: return Actions()
        }
    }

    private mutating func search(_ sight: TransportSight, _ agreement: Agreement, now: Instant) -> Actions {
        guard sight.hasPath else {
            // Without candidates ICE fails after five seconds, but takes up its work with the next that come: until the peer has
            // had its time to send them (12 s, Calls fact sheet §5) that is no failure.
            let isHopeless = sight.path == .failed && now - agreement.since > CandidateSchedule.end + .seconds(3)
            return isHopeless ? fail(.unreachable) : verify(sight, agreement)
        }
        state = .connected(agreement)
        return told(.pathFound, if: isFirst) + verify(sight, agreement)
    }

    /// The gate: opens for one channel with the announced certificate, and for nothing else.
    private mutating func verify(_ sight: TransportSight, _ agreement: Agreement) -> Actions {
        let progress = told(.channelSetUp, if: isFirst)
        switch sight.verdict(announced: agreement.fingerprint) {
        case .undecided: return Actions()
        case .failed: return fail(.negotiation(.channelFailed))
        case .genuine:
            state = .verified
            return progress + Actions(transport: [.openGate], session: [.verified])
        case .forged:
            state = .retired(wasVerified: false)
            return progress + Actions(transport: [.stop(saysGoodbye: false)], session: [.mismatch])
        }
    }

    // MARK: Carrying, and another one after it

    /// The session sends on it from here on.
    package mutating func carry() {
        guard case .verified = state else { return }
        state = .carrying(LossWatchdog())
    }

    /// Another one carries from here on. The peer may send on this one until it has noticed the same.
    package mutating func yield(now: Instant) {
        guard case .carrying = state else { return }
        state = .yielding(since: now)
    }

    /// Whether media of the peer have come on the one that carries now.
    package mutating func looked(isSuccessorHeard: Bool, now: Instant) -> Actions {
        guard case .yielding(let since) = state else { return Actions() }
        guard isSuccessorHeard && now - since >= Self.overlap.heard || now - since >= Self.overlap.longest else {
            return Actions()
        }
        state = .retired(wasVerified: true)
        return Actions(transport: [.stop(saysGoodbye: false)]) + told(.replaced)
    }

    /// A quarter of a second is over; `packets` is how many have come from the peer so far.
    package mutating func ticked(packets: Int, now: Instant) -> Actions {
        guard isActive else { return Actions() }
        var actions = handOut(now: now)
        if local.lacksRelay(now: now) { actions.session.append(.noRelay) }
        switch state {
        case .negotiated(let agreement): return actions + overdue(agreement, isConnected: false, now: now)
        case .connected(let agreement): return actions + overdue(agreement, isConnected: true, now: now)
        case .carrying(var watchdog):
            let change = watchdog.update(packets: packets, now: now)
            state = .carrying(watchdog)
            return actions + told(change)
        case .gathering, .verified, .yielding, .retired: return actions
        }
    }

    /// A peer that answers and then never sets up the channel must not keep camera and microphone open.
    private mutating func overdue(_ agreement: Agreement, isConnected: Bool, now: Instant) -> Actions {
        guard isFirst,
            let error = NegotiationStage.overdue(since: agreement.since, now: now, isICEConnected: isConnected)
        else { return Actions() }
        return fail(error)
    }

    // MARK: What the peer says on it, and the end

    /// The first frame of a kind was decoded. Of a later transport it is not the call's first.
    package func firstFrame(_ kind: FrameKind) -> Actions {
        told(.firstFrame(kind), if: isFirst && isVerified)
    }

    /// The peer says that it leaves the call. Before its certificate is known to be the announced one it is nobody.
    package mutating func peerLeft() -> Actions {
        guard isVerified, !hasPeerLeft else { return Actions() }
        hasPeerLeft = true
        return told(.peerLeft)
    }

    /// The pipeline can't go on. Of one that is over anyway that is no news.
    package mutating func broke(_ message: String) -> Actions { isActive ? fail(.pipeline(message)) : Actions() }

    private func told(_ action: PairAction, if isNews: Bool = true) -> Actions {
        Actions(pair: isPair && isNews ? [action] : [])
    }

    private func told(_ change: LossWatchdog.Change?) -> Actions {
        switch change {
        case .lost: told(.lost)
        case .recovered: told(.recovered)
        case nil: Actions()
        }
    }

    private mutating func fail(_ error: MediaError) -> Actions {
        state = .retired(wasVerified: isVerified)
        return Actions(transport: [.stop(saysGoodbye: false)], session: [.failed(error)])
    }

    /// It ends, whatever its state. With `isCallOver` the peer is told so on the media path, if it is known to be the one there and has
    /// not said so itself.
    package mutating func retire(isCallOver: Bool) -> [TransportAction] {
        guard !isRetired else { return [] }
        let wasVerified = isVerified
        state = .retired(wasVerified: wasVerified)
        return [.stop(saysGoodbye: isCallOver && wasVerified && !hasPeerLeft)]
    }
}
