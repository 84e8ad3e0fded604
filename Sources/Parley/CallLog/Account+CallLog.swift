import Agent
import Calling
import MediaRules
import Signaling

// The log of calls: what was, and what goes on.
extension Account {
    /// How many calls a page of the log has unless somebody says otherwise.
    public static let callLogPage = 50

    /// Looks for calls in the log, newest first; the one that ended last comes first.
    ///
    /// - Parameters:
    ///   - text: what the name of the contact has in it, then or now, whatever case and accents; nil and blanks are any name.
    ///   - limit: how many calls a page has.
    ///   - number: only calls before this one, to go on where another query stopped.
    public func callLog(
        _ filter: CallLogFilter = CallLogFilter(), text: String? = nil, limit: Int = Account.callLogPage,
        before number: Int64 = .max
    ) -> CallLogQuery {
        let names = Dictionary(book.contacts.map { ($0.id, $0.name) }) { first, _ in first }
        return CallLogQuery(
            callLog, filter, text: text.flatMap { CallLogText($0, names: names) }, limit: limit, before: number)
    }

    /// Who is meant by names of contacts, each as it is now or has been in calls of the log.
    /// - Throws: `AccountError.unknownContact` for a name that nobody has or had, `.store`.
    public func contactsInLog(named names: [String]) async throws(AccountError) -> Set<ContactID> {
        var found = Set(book.contacts.filter { names.contains($0.name) || names.contains($0.id.rawValue) }.map(\.id))
        let known = Set(book.contacts.flatMap { [$0.name, $0.id.rawValue] })
        let others = names.filter { !known.contains($0) }
        guard !others.isEmpty else { return found }
        let former = try await inAgent { try await callLog.contacts() }
        for name in others {
            let meant = former.filter { $0.name == name || $0.contact.rawValue == name }.map(\.contact)
            guard !meant.isEmpty else { throw .unknownContact(name) }
            found.formUnion(meant)
        }
        return found
    }

    /// Deletes calls from the log, on disk before this returns; numbers without a call are passed over.
    /// - Throws: `AccountError.store`, `.closed`.
    public func deleteCalls(_ ids: Set<LoggedCall.ID>) async throws(AccountError) {
        try await inAgent { try await callLog.delete(ids) }
    }

    /// Deletes all calls from the log, on disk before this returns. One that ends meanwhile stays.
    /// - Throws: `AccountError.store`, `.closed`; then some may be left.
    public func deleteAllCalls() async throws(AccountError) {
        try await inAgent { try await callLog.deleteAll() }
    }

    /// Whether and how long the log is kept.
    public var callLogSettings: CallLogSettings {
        get async { await callLog.settings }
    }

    /// Keeps the log so from now on. What is too old by that is deleted; what is kept already stays when it is switched off.
    /// - Throws: `AccountError.store`, `.closed`.
    public func setCallLogSettings(_ settings: CallLogSettings) async throws(AccountError) {
        try await inAgent { try await callLog.set(settings) }
    }

    /// Keeps calls with a contact in the log, or not, from now on. What is there already stays.
    public func setKeepsCalls(_ keeps: Bool, with id: ContactID) async {
        guard book[id] != nil else { return }
        await change(id) { $0.keepsNoCalls = keeps ? nil : true }
    }

    // MARK: What goes on

    /// Notes calls that people here have agreed to, so that the next process knows of them if this one dies.
    func follow(_ update: CallUpdate, _ call: Call) {
        guard update.endReason == nil, update.stage.hasLocalConsent else { return }
        let now = SystemCallClock().wallClock()
        callLog.underWay.begin(
            CallUnderWay(
                callID: update.callID, contact: update.contact, name: call.contact.name, direction: update.direction,
                media: update.media, startedAt: now))
        if case .active = update.phase { callLog.underWay.answer(update.callID, at: now) }
        guard callLog.underWay.draft() != nil else { return }
        Task { [callLog] in await callLog.store() }
    }

    /// Keeps a call that is over.
    func keep(_ entry: CallLogEntry) async {
        let former = callLog.underWay.end(entry.callID)
        let call = unlogged.removeValue(forKey: entry.callID)
        guard book[entry.contact]?.keepsNoCalls != true else { return await callLog.store() }
        let name = call?.contact.name ?? former?.name ?? contact(entry.contact).name
        guard var record = former?.cutOff else {
            return await callLog.add(
                CallRecord(
                    entry, name: name, endedAt: SystemCallClock().wallClock(), state: call?.state,
                    statistics: await call?.statistics()))
        }
        // A former process had accepted it.
        record.startedAt = entry.startedAt
        await callLog.add(record)
    }

    /// Writes down and tells what a former process has left, except calls that the invitations it has left tell of.
    func restoreCalls(besides invitations: Set<CallID>) async {
        let left = callLog.underWay.takeFormer(besides: invitations)
        for call in left {
            listeners.send(.notice(.callCutOff(call.cutOff.name)))
            if book[call.contact]?.keepsNoCalls != true { await callLog.add(call.cutOff) }
        }
        await callLog.store()
    }

    /// Forgets old calls, now and once a day.
    func forgetOldCalls() async {
        repeat { await callLog.forgetOld() } while (try? await Task.sleep(for: .seconds(86_400))) != nil
    }
}

extension CallRecord {
    /// What is to be kept of a call that has ended here.
    init(
        _ entry: CallLogEntry, name: String, endedAt: Int64, state: CallState?, statistics: MediaStatistics?
    ) {
        let wasOn = entry.duration != nil
        let duration = entry.duration?.wholeMilliseconds
        self.init(
            callID: entry.callID, contact: entry.contact, name: name, direction: entry.direction, media: entry.media,
            startedAt: entry.startedAt, answeredAt: duration.map { endedAt - $0 / 1_000 }, endedAt: endedAt,
            duration: duration, result: entry.reason.result(entry.direction, wasOn: wasOn), reason: entry.reason)
        setup = Setup(entry.setup)
        isFrameEncrypted = state?.isFrameEncrypted
        isFingerprintVerified = statistics?.fingerprintVerified ?? false
        path = statistics?.path.map(Path.init)
        data = statistics.map { DataUse(sent: Int64($0.sent.bytes), received: Int64($0.received.bytes)) }
        // Without a rate nothing was ever sent.
        if let link = statistics?.link, link.target > 0 {
            quality = Quality(link, renewals: state?.transportNumber ?? 0)
        }
    }

    /// All names of a call of several in one; nil for nobody.
    static func name(of members: [Member]) -> String? {
        members.isEmpty ? nil : members.map(\.name).joined(separator: ", ")
    }
}

extension CallRecord.Setup {
    init(_ timeline: SetupTimeline) {
        self.init()
        ringing = timeline.ringing?.wholeMilliseconds
        accepted = timeline.accepted?.wholeMilliseconds
        offer = timeline.offer?.wholeMilliseconds
        answer = timeline.answer?.wholeMilliseconds
        iceConnected = timeline.iceConnected?.wholeMilliseconds
        dtlsConnected = timeline.dtlsConnected?.wholeMilliseconds
        firstFrame = timeline.firstFrame?.wholeMilliseconds
    }
}

extension CallRecord.Path {
    init(_ path: MediaPath) {
        let addressKind: AddressKind =
            switch path.local {
            case .host: .host
            case .serverReflexive: .serverReflexive
            case .peerReflexive: .peerReflexive
            case .relayed: .relayed
            }
        self.init(path.isRelayed ? .turn : .direct, addressKind: addressKind)
    }
}

extension CallRecord.Quality {
    init(_ link: MediaStatistics.Link, renewals: Int) {
        self.init(
            roundTrip: link.roundTrip.map(Int64.init), lossSent: Self.parts(link.loss),
            lossReceived: Self.parts(link.lossHere), target: Int64(link.target), renewals: Int64(renewals))
    }

    /// Of 10 000; a number that is none counts as nothing.
    private static func parts(_ part: Double) -> Int64 {
        part.isFinite ? Int64((min(max(part, 0), 1) * 10_000).rounded()) : 0
    }
}
