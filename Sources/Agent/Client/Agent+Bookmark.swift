import Cryptography
import Logging
import SMP
import SMPTransport

// Whether the store is the latest one, before anything is encrypted (docs/protocol.md, "A store that went back in time").
extension Agent {
    /// How often it is looked whether another relay is in reach than the one that holds the note, in milliseconds.
    private static let look: Int64 = 20_000
    /// How many times in a row that has to be so.
    private static let looks = 3

    /// Finds out what the store is, then takes up what it holds.
    func begin() {
        insist(.begin, "opening the profile") {
            let (bookmark, hasRatchets) = try inStore { (try $0.bookmark(), try $0.hasRatchets()) }
            let evidence = StoreEvidence(files: store.files, wasClosed: bookmark?.isClosed ?? false)
            guard let bookmark else {
                conclude(.none, evidence)
                // Soon there is a note.
                if hasRatchets { ratchetMoved() }
                return
            }
            notes.queue = try bookmark.queue
            notes.wasClosed = bookmark.isClosed
            startChecking(evidence)
            giveUpLater(evidence)
        }
    }

    /// Without any relay nothing can be sent, so waiting costs nothing. New ratchets are safe whatever the relay would say.
    private func giveUpLater(_ evidence: StoreEvidence, looks: Int = 0) {
        Task { [weak self, clock = surroundings.clock] in
            try? await clock.sleep(milliseconds: Self.look, isolation: nil)
            await self?.giveUp(evidence, looks)
        }
    }

    private func giveUp(_ evidence: StoreEvidence, _ looks: Int) {
        guard phase == .running, !hasBegun else { return }
        guard lines.values.contains(where: \.isUp) else { return giveUpLater(evidence) }
        guard looks + 1 >= Self.looks else { return giveUpLater(evidence, looks: looks + 1) }
        conclude(.unknown, evidence)
        // Nothing depends on what that relay would say; from here on another one holds the note.
        guard hasBegun, let records = try? inStore({ try $0.connections() }),
            records.allSatisfy({ runtimes[$0.id] != nil })
        else { return }
        settle()
        moveNote()
    }

    /// Takes up the connections as the verdict says. Where the relay is out of reach, those whose handshake is under way wait
    /// for it: they could get no new ratchets.
    func conclude(_ note: StoreEvidence.Note, _ evidence: StoreEvidence) {
        guard phase == .running, !isSettled, note != .unknown || !hasBegun else { return }
        insist(.conclude(note, evidence), "judging the store") {
            let verdict = evidence.verdict(note)
            let isMeant = { [self] (record: ConnectionRecord) in
                isStillClosed(record) && (note != .unknown || record.state == .connected)
            }
            if verdict != .none {
                logger.warning(
                    "The store may be an earlier copy: new ratchets",
                    metadata: ["note": "\(note)", "files": "\(evidence.files)", "for": "\(verdict)"])
            }
            try inStore { transaction in
                try transaction.setClosed(false)
                switch verdict {
                case .none: break
                case .changed(let note): try transaction.markOutdated(since: note, isMeant)
                case .all: try transaction.markOutdated(isMeant)
                }
            }
            if note != .unknown { settle() }
            restore()
        }
    }

    private func settle() {
        store.vouch()
        isSettled = true
    }

    /// Whether a connection comes from an earlier life and was not taken up in this one.
    private func isStillClosed(_ record: ConnectionRecord) -> Bool { runtimes[record.id] == nil }

    /// There is a note at the relay that this store did not write: the profile lives, or has lived, elsewhere.
    ///
    /// - Throws: `AgentError.store`; then the note must stay where it is.
    func meetCopy() throws {
        guard isSettled else { return try inStore { try $0.markOutdated(isStillClosed) } }
        // Once in a life: two that live at the same time would otherwise never come to rest.
        guard !notes.hasMetCopy else { return }
        logger.warning("Somebody uses a copy of the profile: new ratchets")
        let connected = try inStore { transaction in
            try transaction.markOutdated { $0.state == .connected }
            return try transaction.connections().filter { $0.synchronisation == .outdated }.map(\.id)
        }
        notes.hasMetCopy = true
        for connection in connected { replaceRatchet(of: connection) }
    }

    /// Agrees on a new ratchet for one that must not encrypt any more.
    func replaceRatchet(of connection: ConnectionID) {
        insist(.replaceRatchet(connection), "replacing a ratchet", connection) {
            let (_, effects) = try step(connection) { try $0.replaceOutdatedRatchet() }
            apply(effects, to: connection)
        }
    }

    /// Says that nothing is encrypted any more, if nothing can have been encrypted that a copy would not know to be careful
    /// about. A life in which nothing could begin leaves the store as it was.
    func noteTheEnd() {
        guard isSettled || notes.wasClosed && !hasBegun else { return }
        try? store.write { try $0.setClosed(true) }
    }
}
