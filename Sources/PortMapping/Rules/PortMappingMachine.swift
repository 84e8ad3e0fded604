import BaseKit

/// Has a router forward one port of TCP, and keeps it so: by PCP, by NAT-PMP where the router says that it knows no PCP, else by UPnP.
///
/// Datagrams go to port 5351 of the router, and what comes from there is given to ``receive(_:at:)``.
struct PortMappingMachine: Sendable {
    /// What is to be done.
    enum Action: Equatable, Sendable {
        case send([UInt8])
        case askUPnP(UPnPRequest)
        case tell(PortMappingState)
    }

    /// Seconds for which the router is asked to forward the port (RFC 6886 §3.3).
    static let lifetime: UInt32 = 7_200
    /// Longer than this no answer is trusted (RFC 6887 §15: at most a day).
    private static let longestLifetime: UInt32 = 86_400
    /// RFC 6887 §11.2.1.
    private static let shortestRenewal = Duration.seconds(4)
    /// How often the router is asked whether it still knows what it forwards, or, by UPnP, to forward it as before.
    private static let watchInterval = Duration.seconds(300)
    private static let pauseAfterSilence = Duration.seconds(900)
    private static let pauseAfterRefusal = Duration.seconds(60)...Duration.seconds(3_600)

    private enum Stage: Sendable {
        case idle
        case exchanging(Exchange)
        case askingUPnP
        case removingByUPnP
        case holding(until: Instant)
        case resting(until: Instant)
        case ended
    }

    /// What the router forwards.
    private struct Mapping: Sendable {
        var port: MappedPort
        var address: IPv4Address
        /// Nil: it does not end by itself.
        var end: Instant?
        var renewal: Instant
    }

    private let port: UInt16
    private let client: IPv4Address
    private let nonce: [UInt8]
    private var random: any RandomNumberGenerator & Sendable
    private var stage = Stage.idle
    private var mapping: Mapping?
    private var epochs = EpochWatch()
    private var told: PortMappingState?
    private var isStopping = false
    /// What the router is asked to give again.
    private var suggestion: (address: IPv4Address?, port: UInt16)

    /// - Parameters:
    ///   - port: That of this machine, and outside if it can be had.
    ///   - client: This machine's address towards the router.
    ///   - nonce: 12 random bytes (RFC 6887 §11.1).
    init(
        port: UInt16, client: IPv4Address, nonce: [UInt8],
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.port, self.client, self.random) = (port, client, random)
        self.nonce = Array(
            (nonce + [UInt8](repeating: 0, count: PCPRequest.nonceLength)).prefix(PCPRequest.nonceLength))
        suggestion = (nil, port)
    }

    /// Whether nothing more is to be done.
    var isEnded: Bool { if case .ended = stage { true } else { false } }

    /// When ``advance(to:)`` is due; nil while only an answer brings something.
    var nextMoment: Instant? {
        let own: Instant? =
            switch stage {
            case .exchanging(let exchange): exchange.nextAttempt
            case .holding(let moment), .resting(let moment): moment
            case .idle, .askingUPnP, .removingByUPnP, .ended: nil
            }
        guard !isStopping, let end = mapping?.end else { return own }
        return own.map { min($0, end) } ?? end
    }

    /// Begins.
    mutating func start(at now: Instant) -> [Action] {
        guard case .idle = stage else { return [] }
        return tell(.asking) + ask(.pcpMap, at: now)
    }

    /// Does what is due.
    mutating func advance(to now: Instant) -> [Action] {
        var actions: [Action] = []
        if !isStopping, let end = mapping?.end, now >= end { actions = lose(nil, at: now) }
        switch stage {
        case .exchanging(var exchange) where now >= exchange.nextAttempt:
            if let most = exchange.question.mostAttempts(holds: mapping != nil), exchange.attempts >= most {
                return actions + giveUp(exchange.question, at: now)
            }
            exchange.repeated(at: now, spread: spread())
            stage = .exchanging(exchange)
            actions.append(.send(exchange.request))
        case .holding(let moment) where now >= moment: actions += lookAfter(at: now)
        case .resting(let moment) where now >= moment: actions += ask(.pcpMap, at: now)
        case .idle, .exchanging, .askingUPnP, .removingByUPnP, .holding, .resting, .ended: break
        }
        return actions
    }

    /// Takes a datagram of the router. What is no answer to the question is nothing.
    mutating func receive(_ bytes: [UInt8], at now: Instant) -> [Action] {
        guard case .exchanging(let exchange) = stage,
            let answer = Answer(bytes, to: exchange.question, nonce: nonce, port: port)
        else { return [] }
        if exchange.question.isRemoval { return end() }
        switch answer {
        case .speaksNATPMP:
            epochs.reset()
            return ask(.natPMPAddress, at: now)
        case .cannotMap:
            mapping = nil
            return askUPnP()
        case .alive(let epoch):
            return epochs.isContinuous(epoch, at: now, by: .pcp) ? hold(at: now) : ask(.pcpMap, at: now)
        case .address(let address, let epoch):
            let isContinuous = epochs.isContinuous(epoch, at: now, by: .natPMP)
            if exchange.question == .natPMPWatch, isContinuous, address == mapping?.address { return hold(at: now) }
            guard !address.isUnspecified else { return refuse(.noExternalAddress, at: now) }
            return ask(.natPMPMap(address), at: now)
        case .mapped(let address, let external, let lifetime, let epoch):
            _ = epochs.isContinuous(epoch, at: now, by: exchange.question.way)
            return gain(exchange.question.way, address, external, lifetime: lifetime, at: now)
        case .refused(let reason, let seconds): return refuse(reason, for: .seconds(seconds), at: now)
        }
    }

    /// The router says that nobody listens there (ICMP port unreachable).
    mutating func nobodyListens() -> [Action] {
        guard case .exchanging(let exchange) = stage else { return [] }
        if exchange.question.isRemoval { return end() }
        return exchange.question == .pcpMap && mapping == nil ? askUPnP() : []
    }

    /// Takes what came of the last ``Action/askUPnP(_:)``.
    mutating func receive(_ outcome: UPnPOutcome, at now: Instant) -> [Action] {
        if case .removingByUPnP = stage { return end() }
        guard case .askingUPnP = stage else { return [] }
        switch outcome {
        case .mapped(let address, let port, let lifetime):
            let actions = gain(.upnp, address, port, lifetime: lifetime, at: now)
            return isStopping ? remove(at: now) : actions
        case .removed, .refused, .absent:
            if isStopping { return mapping == nil ? end() : removeByUPnP() }
            if case .refused(let reason) = outcome { return refuse(reason, at: now) }
            return fallSilent(at: now)
        }
    }

    /// Makes sure that the router still forwards the port, or asks it again without waiting longer.
    mutating func renew(at now: Instant) -> [Action] {
        guard !isStopping else { return [] }
        switch stage {
        case .holding:
            mapping?.renewal = now
            return lookAfter(at: now)
        case .resting: return ask(.pcpMap, at: now)
        case .idle, .exchanging, .askingUPnP, .removingByUPnP, .ended: return []
        }
    }

    /// Has the router forward the port no more; it goes on until ``isEnded``.
    mutating func stop(at now: Instant) -> [Action] {
        guard !isStopping else { return [] }
        isStopping = true
        return remove(at: now)
    }

    // MARK: What is asked

    private mutating func ask(_ question: Question, at now: Instant) -> [Action] {
        let request = bytes(of: question)
        stage = .exchanging(Exchange(question, request, at: now, spread: spread()))
        return [.send(request)]
    }

    private func bytes(of question: Question) -> [UInt8] {
        switch question {
        case .pcpMap, .pcpRemove:
            let isRemoval = question == .pcpRemove
            let mapping = PCPMapping(
                nonce: nonce, internalPort: port, externalPort: isRemoval ? 0 : suggestion.port,
                externalAddress: (isRemoval ? nil : suggestion.address) ?? .unspecified)
            return PCPRequest.map(mapping, client: client, lifetime: isRemoval ? 0 : Self.lifetime).encoded()
        case .pcpWatch: return PCPRequest.announce(client: client).encoded()
        case .natPMPAddress, .natPMPWatch: return NATPMPRequest.address.encoded()
        case .natPMPMap:
            return NATPMPRequest.map(internalPort: port, externalPort: suggestion.port, lifetime: Self.lifetime)
                .encoded()
        // RFC 6886 §3.4.
        case .natPMPRemove: return NATPMPRequest.map(internalPort: port, externalPort: 0, lifetime: 0).encoded()
        }
    }

    private mutating func askUPnP() -> [Action] {
        stage = .askingUPnP
        return [.askUPnP(.map(internalPort: port, externalPort: suggestion.port, lifetime: Self.lifetime))]
    }

    private mutating func spread() -> Double { Double.random(in: -0.1...0.1, using: &random) }

    /// Renews what is forwarded, or asks whether it still is.
    private mutating func lookAfter(at now: Instant) -> [Action] {
        guard let mapping else { return ask(.pcpMap, at: now) }
        let isDue = now >= mapping.renewal
        switch mapping.port.way {
        case .pcp: return ask(isDue ? .pcpMap : .pcpWatch, at: now)
        case .natPMP: return ask(isDue ? .natPMPAddress : .natPMPWatch, at: now)
        case .upnp: return askUPnP()
        }
    }

    private mutating func remove(at now: Instant) -> [Action] {
        switch (stage, mapping?.port.way) {
        // What comes of it is removed then.
        case (.askingUPnP, _): return []
        case (_, .pcp): return ask(.pcpRemove, at: now)
        case (_, .natPMP): return ask(.natPMPRemove, at: now)
        case (_, .upnp): return removeByUPnP()
        // The router may have done it, and its answer be on the way.
        case (.exchanging(let exchange), nil):
            return ask(exchange.question.way == .pcp ? .pcpRemove : .natPMPRemove, at: now)
        case (_, nil): return end()
        }
    }

    private mutating func removeByUPnP() -> [Action] {
        stage = .removingByUPnP
        return [.askUPnP(.remove(externalPort: mapping?.port.port ?? port))]
    }

    // MARK: What comes of it

    private mutating func gain(
        _ way: PortMappingWay, _ address: IPv4Address, _ external: UInt16, lifetime: UInt32, at now: Instant
    ) -> [Action] {
        let port = MappedPort(address: address.description, port: external, way: way)
        let time = Duration.seconds(min(lifetime, Self.longestLifetime))
        let isLasting = lifetime == 0
        let renewal = isLasting ? Self.watchInterval : max(time / 2, Self.shortestRenewal)
        mapping = Mapping(port: port, address: address, end: isLasting ? nil : now + time, renewal: now + renewal)
        suggestion = (address, external)
        stage = .holding(until: now + min(renewal, Self.watchInterval))
        return tell(address.isPublic ? .open(port) : .behindAnotherRouter(port))
    }

    private mutating func hold(at now: Instant) -> [Action] {
        guard let mapping else { return ask(.pcpMap, at: now) }
        stage = .holding(until: min(mapping.renewal, now + Self.watchInterval))
        return []
    }

    private mutating func giveUp(_ question: Question, at now: Instant) -> [Action] {
        switch question {
        case .pcpMap: return mapping == nil ? askUPnP() : hold(at: now)
        case .pcpWatch, .natPMPWatch: return hold(at: now)
        case .natPMPAddress, .natPMPMap: return fallSilent(at: now)
        case .pcpRemove, .natPMPRemove: return end()
        }
    }

    /// Nobody answers. What is forwarded stays so until its end; meanwhile the router is asked again.
    private mutating func fallSilent(at now: Instant) -> [Action] {
        guard var mapping else { return rest(.unanswered, Self.pauseAfterSilence, at: now) }
        guard let end = mapping.end else { return lose(nil, at: now) }
        mapping.renewal = now + max((end - now) / 2, Self.pauseAfterRefusal.lowerBound)
        self.mapping = mapping
        stage = .holding(until: mapping.renewal)
        return []
    }

    private mutating func refuse(_ reason: RouterRefusal, for pause: Duration = .zero, at now: Instant) -> [Action] {
        let range = Self.pauseAfterRefusal
        let pause = min(max(pause, range.lowerBound), range.upperBound)
        let state = mapping == nil ? PortMappingState.refused(reason) : .lost(reason)
        mapping = nil
        return rest(state, pause, at: now)
    }

    private mutating func lose(_ reason: RouterRefusal?, at now: Instant) -> [Action] {
        mapping = nil
        // Who is asked something now may be gone: from the beginning.
        return rest(.lost(reason), Self.pauseAfterRefusal.lowerBound, at: now)
    }

    private mutating func rest(_ state: PortMappingState, _ pause: Duration, at now: Instant) -> [Action] {
        stage = .resting(until: now + pause)
        epochs.reset()
        // That nobody answers any more is not news of its own.
        if state == .unanswered, case .lost = told { return [] }
        return tell(state)
    }

    private mutating func end() -> [Action] {
        mapping = nil
        stage = .ended
        return []
    }

    private mutating func tell(_ state: PortMappingState) -> [Action] {
        guard state != told else { return [] }
        told = state
        return [.tell(state)]
    }
}
