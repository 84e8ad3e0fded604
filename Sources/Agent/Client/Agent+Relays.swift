import Cryptography
import SMP
import SMPSession

/// One relay the agent talks to.
struct RelayLine {
    let client: any RelayLink
    let reader: Task<Void, Never>
    /// How many connections there have been; tells whether one was lost during a request.
    var connectionCount = 0
    var isUp = false
    /// The SMP version of the present connection, or of the last one.
    var version: SMPVersion?
    /// Whether the application was told that it is up.
    var hasTold = false
    /// Why there is no connection; nil while there is one and before the first attempt ended.
    var problem: TransportError?
    /// Why the last request found none; nil when it found one.
    var refusal: TransportError?
}

// Lines to relays.
extension Agent {
    /// The client of a relay, made at first use and kept.
    func line(to relay: RelayAddress) -> any RelayLink {
        if let line = lines[relay] { return line.client }
        let client = surroundings.makeLine(relay, configuration.transport)
        let reader = Task { [weak self, continuation] in
            await client.start()
            for await event in client.events {
                await self?.handle(event, on: relay)
                // An application that is behind makes the relay wait.
                await continuation.room()
            }
        }
        lines[relay] = RelayLine(client: client, reader: reader)
        return client
    }

    /// Asks a relay.
    ///
    /// - Throws: `DeliveryFailure`.
    func request(_ request: RelayRequest, on relay: RelayAddress) async throws -> BrokerMessage {
        guard phase == .running else { throw DeliveryFailure.unreachable }
        let client = line(to: relay)
        await client.start()
        do {
            let answer = try await client.request(request)
            lines[relay]?.refusal = nil
            return answer
        } catch {
            lines[relay]?.refusal = if case .notConnected(let reason) = error { reason } else { nil }
            throw DeliveryFailure(error)
        }
    }

    /// A failure with an own relay, for who asked: it is no fault of the network when the relay can't be used as it is.
    func error(_ failure: DeliveryFailure, on relay: RelayAddress) -> AgentError {
        guard failure == .unreachable, let reason = lines[relay]?.refusal, reason.isLasting else {
            return AgentError(failure, ofOwnRelay: true)
        }
        return .relayUnusable(reason)
    }

    private func handle(_ event: RelayEvent, on relay: RelayAddress) {
        guard phase == .running else { return }
        switch event {
        case .up(let version):
            lines[relay]?.connectionCount += 1
            lines[relay]?.isUp = true
            lines[relay]?.version = version
            lines[relay]?.hasTold = false
            lines[relay]?.problem = nil
            let count = lines[relay]?.connectionCount
            // The queue a connection had first goes first.
            let queues = places.filter { $0.key.relay == relay }.sorted { $0.value.queue < $1.value.queue }
            for (name, _) in queues { reading.forget(name) }
            let subscribing = subscribe(queues.map(\.key))
            Task { [weak self] in
                await subscribing?.value
                await self?.isReady(relay, version, count)
            }
        case .down(let reason):
            let isNews = lines[relay]?.hasTold == true || lines[relay]?.problem == nil
            lines[relay]?.isUp = false
            lines[relay]?.hasTold = false
            lines[relay]?.problem = reason
            if isNews { tell(.down(relay)) }
        case .message(let queue, let id, let body):
            received(id, body, ReceiveQueueName(relay: relay, recipientID: queue))
        case .ended(let queue):
            if let place = places[ReceiveQueueName(relay: relay, recipientID: queue)] {
                tell(.subscriptionEnded(place.connection))
            }
        case .deleted(let queue):
            queueIsGone(ReceiveQueueName(relay: relay, recipientID: queue))
        case .lateResponse(let queue, .message(let id, let body)):
            received(id, body, ReceiveQueueName(relay: relay, recipientID: queue))
        case .lateResponse, .other:
            break
        }
    }

    private func isReady(_ relay: RelayAddress, _ version: SMPVersion, _ count: Int?) {
        guard phase == .running, isUp(relay, since: count) else { return }
        lines[relay]?.hasTold = true
        tell(.up(relay, smpVersion: version.rawValue))
        letGo(of: relay)
    }

    /// Whoever waited for a relay goes on, spread over time.
    private func letGo(of relay: RelayAddress) {
        let waiting = runtimes.filter { _, runtime in
            runtime.stepIsWaiting || (leads(relay, to: runtime.sendRelay) && runtime.delivery.waitsForRelay)
        }
        var chance = surroundings.chance
        let order = waiting.keys.sorted { $0.rawValue < $1.rawValue }.shuffled(using: &chance)
        for (index, connection) in order.enumerated() {
            let delay = ReleasePlan.delay(index: index, jitter: chance.fraction())
            guard delay > 0 else {
                goOn(connection, relay)
                continue
            }
            Task { [weak self, clock = surroundings.clock] in
                try? await clock.sleep(milliseconds: delay, isolation: nil)
                await self?.goOn(connection, relay)
            }
        }
    }

    private func goOn(_ connection: ConnectionID, _ relay: RelayAddress) {
        guard phase == .running else { return }
        if leads(relay, to: runtimes[connection]?.sendRelay) {
            perform(runtimes[connection]?.delivery.reachable() ?? [], of: connection)
        }
        retryRelayStep(of: connection)
    }

    /// Whether messages for a queue on `target` go over the line to `relay`.
    private func leads(_ relay: RelayAddress, to target: RelayAddress?) -> Bool {
        target.map { ways(to: $0).contains(relay) } ?? false
    }

    /// Whether the connection counted as `count` still stands.
    func isUp(_ relay: RelayAddress, since count: Int?) -> Bool {
        guard let line = lines[relay] else { return false }
        return line.isUp && line.connectionCount == count
    }

    /// Whether another connection than the one counted as `count` stands.
    func isUpAgain(_ relay: RelayAddress, since count: Int?) -> Bool {
        guard let line = lines[relay] else { return false }
        return line.isUp && line.connectionCount != count
    }

    /// Waits as long as the retry rules say for what has waited for `age` milliseconds; false when the task was cancelled.
    func sleep(afterFailures failures: Int, age: Int64 = .max) async -> Bool {
        await pause(
            milliseconds: RetrySchedule.unreachable.delay(
                afterFailures: failures, age: age, jitter: surroundings.chance.fraction()))
    }

    /// How many queues are asked for together: each may be answered with a message of 16 kB.
    private static let subscriptionsAtOnce = 128

    /// Asks a relay for the messages of queues of its own, again for those it does not answer while the connection holds. What
    /// waits for an application that is behind, or for another round, keeps no agent alive.
    @discardableResult
    func subscribe(_ names: [ReceiveQueueName]) -> Task<Void, Never>? {
        guard let relay = names.first?.relay else { return nil }
        let (count, start) = (lines[relay]?.connectionCount, now)
        return Task { [weak self, continuation, clock = surroundings.clock] in
            var rest = names
            var failures = 0
            while true {
                var again: [ReceiveQueueName] = []
                for first in stride(from: 0, to: rest.count, by: Self.subscriptionsAtOnce) {
                    let part = rest[first..<min(first + Self.subscriptionsAtOnce, rest.count)]
                    guard let left = await self?.subscribeOnce(Array(part)) else { return }
                    again += left
                    await continuation.room()
                }
                rest = again
                failures += 1
                guard !rest.isEmpty, let delay = await self?.delay(relay, count, failures, since: start) else { return }
                try? await clock.sleep(milliseconds: delay, isolation: nil)
                guard await self?.isUp(relay, since: count) == true else { return }
            }
        }
    }

    /// Until queues are asked for again; nil when the connection is lost.
    private func delay(_ relay: RelayAddress, _ count: Int?, _ failures: Int, since start: Int64) -> Int64? {
        guard phase == .running, isUp(relay, since: count) else { return nil }
        return RetrySchedule.unreachable.delay(
            afterFailures: failures, age: now - start, jitter: surroundings.chance.fraction())
    }

    /// One round; returns the queues worth another. The first message of a queue may come as the answer.
    private func subscribeOnce(_ names: [ReceiveQueueName]) async -> [ReceiveQueueName] {
        guard phase == .running, let relay = names.first?.relay else { return [] }
        let known = names.compactMap { name in places[name].map { (name, $0) } }
        var rest: [ReceiveQueueName] = []
        let requests = known.map { RelayRequest(.subscribe, entity: $0.recipientID, key: $1.key) }
        let results = await line(to: relay).requests(requests)
        for ((name, place), result) in zip(known, results) {
            switch result {
            case .success(.message(let id, let body)):
                received(id, body, name)
            case .success:
                reachEndLater(of: name)
            case .failure(.refused(.authentication)):
                queueIsGone(name)
            case .failure(let error):
                logger.info(
                    "Queue not subscribed", metadata: ["connection": "\(place.connection)", "reason": "\(error)"])
                if DeliveryFailure(error).isTemporary { rest.append(name) }
            }
        }
        return rest
    }

    /// A relay does not know an own queue any more.
    func queueIsGone(_ name: ReceiveQueueName) {
        guard let place = places[name] else { return }
        insist(.queueGone(name), "looking up a queue", place.connection) {
            let record = try inStore { try $0.connection(place.connection) }
            // The end of a move deletes the old queue itself.
            guard record?.rotation != .draining else { return }
            tell(.failed(place.connection, nil, .relayRefused("AUTH")))
        }
    }

    /// Where new queues are made: spread over the relays, on none of `others` when there is a choice.
    func relayForNewQueue(besides others: [RelayAddress] = []) throws -> RelayAddress {
        var uses: [[UInt8]: Int] = [:]
        for name in places.keys { uses[name.relay.keyHash, default: 0] += 1 }
        var chance = surroundings.chance
        guard
            let relay = RelayChoice(uses: uses, avoided: others.map(\.keyHash))
                .relay(from: configuration.relays, using: &chance)
        else { throw AgentError.noRelay }
        return relay
    }

    /// NEW: a queue of this side's own, subscribed.
    ///
    /// - Throws: `DeliveryFailure`.
    func createQueue(
        _ connection: ConnectionID, on relay: RelayAddress, isFast: Bool, link: ShortLinkDraft? = nil,
        subscribes: Bool = true
    ) async throws -> ReceiveQueueRecord {
        let authenticationKey = Ed25519.PrivateKey()
        let agreementKey = X25519.PrivateKey()
        let queueRequest = QueueRequest(
            recipientKey: .ed25519(authenticationKey.publicKey), agreementKey: agreementKey.publicKey,
            password: relay.password, subscribes: subscribes,
            link: link?.request ?? (isFast ? .messaging(nil) : .contact(nil)))
        let answer = try await request(
            RelayRequest(
                .new(queueRequest), key: .ed25519(authenticationKey),
                correlationID: link?.correlationID ?? .random()),
            on: relay)
        guard case .queue(let ids) = answer, let secret = try? agreementKey.sharedSecret(with: ids.serverKey) else {
            throw DeliveryFailure.rejected("UNEXPECTED")
        }
        if let link, ids.senderID != link.senderID { throw DeliveryFailure.rejected("UNEXPECTED") }
        return ReceiveQueueRecord(
            connection: connection, isFast: isFast && ids.mode != .contact, relay: relay.text,
            recipientID: ids.recipientID.bytes, senderID: ids.senderID.bytes,
            authenticationKey: authenticationKey.rawRepresentation, deliverySecret: secret,
            queueKey: (link?.queueKey ?? X25519.PrivateKey()).rawRepresentation,
            shortLink: link?.text(linkID: ids.linkID), linkKey: link?.rootKey.rawRepresentation)
    }

    /// Stores a queue that a relay has just made. When that fails the relay is asked to forget it, once.
    func keep<Value>(_ made: ReceiveQueueRecord, _ store: () throws -> Value) throws -> Value {
        do {
            return try store()
        } catch AgentError.store(let error) where error.isTemporary {
            // What failed may be on disk all the same until something else is: should this process die now, the next one
            // goes on with this queue.
            outage.postpone(.discard(made))
            throw AgentError.store(error)
        } catch {
            discard(made)
            throw error
        }
    }

    /// DEL: a queue that no store knows.
    func discard(_ made: ReceiveQueueRecord) {
        guard let relay = try? RelayAddress(parsing: made.relay),
            let key = try? Ed25519.PrivateKey(rawRepresentation: made.authenticationKey)
        else { return }
        let request = RelayRequest(.delete, entity: EntityID(made.recipientID), key: .ed25519(key))
        Task { [weak self] in _ = try? await self?.request(request, on: relay) }
    }

    /// Makes a stored queue known, and subscribes it again when its line was lost since it was made.
    func adopt(_ queue: ReceiveQueueRecord, madeDuring connectionCount: Int?) throws {
        try register(queue)
        let relay = try RelayAddress(parsing: queue.relay)
        let name = ReceiveQueueName(relay: relay, recipientID: EntityID(queue.recipientID))
        if lines[relay]?.connectionCount == connectionCount {
            reachedEnd(of: name)
        } else {
            subscribe([name])
        }
    }
}
