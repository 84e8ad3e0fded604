import Cryptography
import Logging
import SMP
import SMPSession

// The note that a relay keeps of the store (docs/protocol.md, "A store that went back in time").
extension Agent {
    /// More notes than a relay holds of a queue, from one that makes them up.
    private static let noteLimit = 300
    /// The size of an ordinary SEND body (Agent fact sheet §3).
    private static let bodyCount = 16_043
    /// How long the end waits for the last note, in milliseconds.
    private static let farewell: Int64 = 1_500

    // MARK: When

    /// A ratchet has moved: a note follows.
    func ratchetMoved() {
        guard phase == .running, configuration.leavesNote, case .wait(let delay) = notes.schedule.moved(at: now) else {
            return
        }
        waitForNote(delay)
    }

    private func waitForNote(_ delay: Int64) {
        notes.timer = Task { [weak self, clock = surroundings.clock] in
            try? await clock.sleep(milliseconds: delay, isolation: nil)
            guard !Task.isCancelled else { return }
            await self?.noteTimePassed()
        }
    }

    private func noteTimePassed() {
        guard phase == .running else { return }
        switch notes.schedule.woke(at: now) {
        case .wait(let delay): waitForNote(delay)
        case .renew:
            notes.isDue = true
            goOnWithNotes()
        }
    }

    /// From here on the note is at another relay, if there is one.
    func moveNote() {
        notes.mustMove = true
        notes.isDue = true
        startJob { try await $0.renewNote($1) }
    }

    /// The person has other relays now.
    func relaysChanged() {
        guard let queue = notes.queue, !configuration.relays.contains(queue.relay) else { return }
        notes.isDue = true
        goOnWithNotes()
    }

    private func goOnWithNotes() {
        guard isSettled, notes.job == nil, notes.isDue else { return }
        startJob { try await $0.renewNote($1) }
    }

    /// Compares the store with its note.
    func startChecking(_ evidence: StoreEvidence) {
        startJob { try await $0.check(evidence, $1) }
    }

    /// Does this until it succeeds, with a note of its own, in place of what was done before.
    private func startJob(_ attempt: @escaping @Sendable (Agent, [UInt8]) async throws -> Void) {
        let own = randomBytes(BookmarkRecord.noteCount)
        notes.jobNumber += 1
        notes.readSoFar = []
        notes.job?.cancel()
        notes.job = Task { [weak self, clock = surroundings.clock, number = notes.jobNumber] in
            var failures = 0
            while let delay = await self?.tryJob(number, failures, { try await attempt($0, own) }) {
                failures += 1
                guard (try? await clock.sleep(milliseconds: delay, isolation: nil)) != nil else { return }
            }
        }
    }

    /// - Returns: when to try again; nil when it is over.
    private func tryJob(
        _ number: Int, _ failures: Int, _ attempt: @Sendable (Agent) async throws -> Void
    ) async -> Int64? {
        guard phase == .running, number == notes.jobNumber else { return nil }
        do {
            try await attempt(self)
        } catch AgentError.noRelay {
            notes.isDue = false
        } catch {
            guard phase == .running, number == notes.jobNumber else { return nil }
            logger.debug("No note at a relay yet", metadata: ["reason": "\(error)"])
            return RetrySchedule.unreachable.delay(afterFailures: failures + 1, jitter: surroundings.chance.fraction())
        }
        guard number == notes.jobNumber else { return nil }
        notes.job = nil
        goOnWithNotes()
        return nil
    }

    // MARK: What

    /// Reads the notes that are there and puts `own` in their place.
    private func check(_ evidence: StoreEvidence, _ own: [UInt8]) async throws {
        guard let bookmark = try add(own) else { return }
        do {
            try await write(own, bookmark)
            let found = try await readNotes(bookmark, until: own)
            conclude(Self.note(found, bookmark), evidence)
            try confirm(own)
        } catch DeliveryFailure.refused {
            conclude(.lost, evidence)
            try forgetBookmark()
        }
    }

    private static func note(_ found: [[UInt8]], _ bookmark: BookmarkRecord) -> StoreEvidence.Note {
        let numbers = found.map(bookmark.number(of:))
        guard let last = numbers.compactMap(\.self).max() else { return numbers.isEmpty ? .lost : .foreign }
        return numbers.contains(nil) ? .foreign : .own(last)
    }

    /// Puts `own` in the place of the last note, making the queue if there is none.
    private func renewNote(_ own: [UInt8]) async throws {
        try await makeBookmark()
        guard let bookmark = try add(own) else { return }
        // What moves from here on needs another one.
        notes.isDue = false
        do {
            try await write(own, bookmark)
            _ = try await readNotes(bookmark, until: own)
            try confirm(own)
        } catch DeliveryFailure.refused {
            try forgetBookmark()
            throw DeliveryFailure.unreachable
        }
    }

    /// Makes a queue for the note where there is none, or none where the person wants it.
    private func makeBookmark() async throws {
        let present = try inStore { try $0.bookmark() }
        if let present, !notes.mustMove,
            try configuration.relays.isEmpty || configuration.relays.contains(present.queue.relay)
        {
            return
        }
        let relay = try relayForNewQueue(besides: try present.map { [try $0.queue.relay] } ?? [])
        let made = try await createQueue(ConnectionID(rawValue: ""), on: relay, isFast: false, subscribes: false)
        try keep(made) {
            try inStore { try $0.setBookmark(BookmarkRecord(made, after: try $0.lastNote())) }
        }
        notes.queue = ReceiveQueueName(relay: relay, recipientID: EntityID(made.recipientID))
        notes.mustMove = false
        guard let present else { return }
        // Earlier copies ask there: they shall learn that the profile has lived on. The queue stays, or the note would be gone.
        try? await write(randomBytes(BookmarkRecord.noteCount), present)
        await leaveUnneededRelays()
    }

    /// Known before it is sent: an end in between must not make it a stranger's.
    private func add(_ note: [UInt8]) throws -> BookmarkRecord? {
        try inStore { transaction in
            guard var bookmark = try transaction.bookmark() else { return nil }
            bookmark.add(note)
            try transaction.setBookmark(bookmark)
            return bookmark
        }
    }

    private func confirm(_ note: [UInt8]) throws {
        try inStore { transaction in
            guard var bookmark = try transaction.bookmark() else { return }
            bookmark.confirm(note)
            try transaction.setBookmark(bookmark)
        }
    }

    /// The relay has lost the queue.
    private func forgetBookmark() throws {
        try inStore { try $0.setBookmark(nil) }
        notes.queue = nil
        notes.isDue = true
    }

    // MARK: At the relay

    /// As long as any other message, so that the relay sees nothing special.
    private func request(writing note: [UInt8], _ bookmark: BookmarkRecord) -> RelayRequest {
        RelayRequest(
            .send(notify: false, body: note + randomBytes(Self.bodyCount - note.count)),
            entity: EntityID(bookmark.senderID))
    }

    private func write(_ note: [UInt8], _ bookmark: BookmarkRecord) async throws {
        do {
            _ = try await request(request(writing: note, bookmark), on: try bookmark.queue.relay)
        } catch DeliveryFailure.full {
            // Many starts that never got as far as reading: without this one it can be read.
        }
        try Task.checkCancellation()
    }

    /// The notes before the own one, which stays there alone. They are read without a subscription, which would bring them as events
    /// (SMP fact sheet §9.2).
    private func readNotes(_ bookmark: BookmarkRecord, until own: [UInt8]) async throws -> [[UInt8]] {
        let (queue, key) = (try bookmark.queue, try Ed25519.PrivateKey(rawRepresentation: bookmark.authenticationKey))
        func ask(_ command: Command) async throws -> BrokerMessage {
            let answer = try await request(
                RelayRequest(command, entity: queue.recipientID, key: .ed25519(key)), on: queue.relay)
            try Task.checkCancellation()
            return answer
        }
        while notes.readSoFar.count < Self.noteLimit {
            guard case .message(let id, let body) = try await ask(.get) else {
                // The own one was not taken, or somebody has read it.
                try await write(own, bookmark)
                return notes.readSoFar
            }
            if case .message(_, _, let content) = try? MessageBody(
                opening: body, secret: bookmark.deliverySecret, id: id)
            {
                let note = Array(content.prefix(BookmarkRecord.noteCount))
                guard note != own else { return notes.readSoFar }
                // What is acknowledged can't be read there again.
                if bookmark.number(of: note) == nil { try meetCopy() }
                notes.readSoFar.append(note)
            }
            _ = try await ask(.acknowledge(id))
        }
        throw DeliveryFailure.rejected("NOTES")
    }

    // MARK: The end

    /// Nothing moves any more: a copy from before the last changes shall not look like the latest state. A relay that is out of
    /// reach is not waited for.
    func writeLastNote() async {
        guard isSettled, notes.isBehind, let queue = notes.queue, let line = lines[queue.relay], line.isUp else {
            return
        }
        let own = randomBytes(BookmarkRecord.noteCount)
        let bookmark = try? store.write { transaction -> BookmarkRecord? in
            guard var bookmark = try transaction.bookmark() else { return nil }
            bookmark.add(own)
            try transaction.setBookmark(bookmark)
            return bookmark
        }
        guard let bookmark = bookmark ?? nil else { return }
        let limit = Task { [clock = surroundings.clock] in
            if (try? await clock.sleep(milliseconds: Self.farewell, isolation: nil)) != nil { await line.client.stop() }
        }
        _ = try? await line.client.request(request(writing: own, bookmark))
        limit.cancel()
    }
}
