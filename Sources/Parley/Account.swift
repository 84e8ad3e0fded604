import Agent
import BaseKit
import Calling
import Cryptography
import Foundation
import Logging
import Media
import MediaRules
import SMP
import Signaling

/// A person's account: a profile, contacts and calls, over an agent of its own.
public actor Account {
    let agent: Agent
    let center: CallCenter
    let signaling: SignalingAdapter
    /// The invitations that outlive the process.
    nonisolated let keptInvitations: InvitationKeeper
    /// Whether what a message changes is about to be stored with its acknowledgement.
    var isHandlingMessage = false
    private let log = CallLogAdapter()
    /// The calls that are over, and which ones go on.
    nonisolated let callLog: CallLog
    /// Calls whose end is not in the log yet.
    var unlogged: [CallID: Call] = [:]
    /// The short messages.
    nonisolated let messageStore: MessageStore
    var messageBudget = MessageBudget()
    /// Contacts who write more than is kept, as long as they do.
    var floods: Set<ContactID> = []
    /// What the store did not take, oldest first.
    var unstoredTexts: [UnstoredText] = []
    var toldUnread: [ContactID: Int] = [:]
    var expiry: Task<Void, Never>?
    /// Where own mailboxes are made.
    var relays: [RelayAddress]
    nonisolated let listeners = AccountUpdates()
    let logger = Logger(label: "im.parley.account")

    var book: ContactBook
    /// Whether the store did not take the book as it is.
    var lacksContacts = false
    /// Contacts that were removed since the start. What was on its way of them then must not make them anew.
    var removed: Set<ContactID> = []
    var profile: Profile
    /// What is known of people beside the book.
    var people = PeopleState()
    var calls: [CallID: Call] = [:]
    /// Calls of several, of which there is one at most.
    nonisolated let groups: GroupCalls
    var groupCalls: [CallID: GroupCall] = [:]
    /// The way into the one that the person was in last.
    var wayBack = WayBack()
    var isInGroupCall = false
    /// A call of two that goes over into one of several.
    var growth: Growth?
    /// Calls of several that are to come of one of two, until the two are in them together.
    var growing: Set<CallID> = []
    /// What the person does in calls of other accounts.
    private(set) var callsElsewhere = CallsElsewhere()
    let versions = RelayVersions()
    /// Calls that look for a way: a new one to the peer, or one to a relay.
    var reconnecting: Set<CallID> = []
    private let network = NetworkMonitor()

    /// Whether contacts learn that their invitations to calls have come in.
    let sendsReceipts: Bool
    /// Where the key of the store is kept.
    public internal(set) var storeKeyStatus: StoreKeyStatus
    let storeKey: SecretBytes
    let keeper: StoreKeyKeeper

    /// The servers that help calls on their way.
    nonisolated let servers = CallServersBox()
    /// The call server for calls of several.
    nonisolated let groupServers = GroupServerBox()

    private let lock: ProfileLock
    let directory: ProfileDirectory
    let embedded: EmbeddedRelay?
    nonisolated let networkRelays: NetworkRelays
    /// The relay inside the program, for others; nil without one.
    nonisolated let presence: NetworkPresence?
    /// Where calls take picture and sound from.
    nonisolated let sources: DeviceSources
    private var echo: EchoPeer?
    private var tasks: [Task<Void, Never>] = []
    private var followingGroups: Task<Void, Never>?
    private var testCall: Task<Void, Never>?
    private var closing: Task<Void, Never>?
    private var forgetting: Task<Void, Never>?
    private var isBusyForNow = false

    /// Whether the person takes no calls until they say otherwise; nil when they never said.
    public private(set) var isBusyByChoice: Bool?

    /// Opens the account in the configuration's folder and connects to its relays.
    /// - Throws: `AccountError`.
    public static func open(_ configuration: AccountConfiguration) async throws -> Account {
        do {
            let directory = try ProfileDirectory(path: configuration.directory)
            let lock = try ProfileLock(directory)
            try await ProfileExport.refuseMoved(directory, keyring: configuration.keyring)
            try directory.begin()
            let networkRelays = configuration.networkRelays ?? NetworkRelays()
            let presence = try await embeddedRelay(configuration.relays, directory).map {
                NetworkPresence($0, networkRelays)
            }
            let account: Account
            do {
                account = try await Account(configuration, directory, lock, networkRelays, presence)
            } catch {
                // It has the port at which contacts look for it: the next attempt needs that.
                await presence?.end()
                await presence?.embedded.stop()
                throw error
            }
            await account.start(offersTestCall: configuration.offersTestCall)
            return account
        } catch let error as AccountError {
            throw error
        } catch {
            throw AccountError.store(StoreFault(error))
        }
    }

    private init(
        _ configuration: AccountConfiguration, _ directory: ProfileDirectory, _ lock: ProfileLock,
        _ networkRelays: NetworkRelays, _ presence: NetworkPresence?
    ) async throws {
        (self.directory, self.lock, embedded) = (directory, lock, presence?.embedded)
        (self.networkRelays, self.presence) = (networkRelays, presence)
        var settings = try StoredSettings(directory)
        if settings.isOpenToNetwork { await presence?.reopen() }
        let addresses = try settings.relays(configuration.relays, embedded: embedded?.address)
        relays = addresses
        keeper = StoreKeyKeeper(configuration, directory)
        let opened = try await keeper.open(configuration.storeKey)
        var agentConfiguration = AgentConfiguration(
            directory: directory.path, storeKey: opened.key, relays: addresses)
        agentConfiguration.transport.locator = networkRelays
        agentConfiguration.leavesNote = opened.status.place != .unkept
        agentConfiguration.privateRouting.mode = configuration.relays.routing(
            try settings.privateRouting(configuration.privateRouting))
        agent = try await Agent(configuration: agentConfiguration)
        directory.hasBegun()
        keeper.forgetOldPlaces(opened)
        (storeKey, storeKeyStatus) = (opened.key, opened.status)
        sendsReceipts = configuration.sendsReceipts
        book = try await agent.applicationData(Self.contactsName).map(ContactBook.init(decoding:)) ?? ContactBook()
        let takesGroups = try settings.takesGroups(configuration.takesGroupCalls)
        var profile = Profile(
            displayName: settings.displayName, calls: .yes,
            abilities: .own(takingGroups: takesGroups))
        profile.restore(try await agent.applicationData(OwnProfile.storeName))
        // What an earlier Parley did not note.
        book.assumeTold(profile)
        profile.displayName = try settings.displayName(configuration.displayName)
        self.profile = profile
        keptInvitations = InvitationKeeper(agent: agent)
        callLog = CallLog(agent: agent)
        try await callLog.open()
        messageStore = MessageStore(agent: agent)
        try await messageStore.open()
        signaling = SignalingAdapter(agent: agent, invitations: keptInvitations)
        isBusyByChoice = settings.isBusy
        if let loss = settings.loss { listeners.send(.settings(loss)) }
        sources = DeviceSources(configuration, choices: settings.devices, ring: settings.ring)
        let media = MediaAdapter(
            sources: sources, screen: configuration.screen,
            allowsLoopback: embedded != nil || addresses.contains(where: \.isLoopback), servers: servers)
        center = CallCenter(
            signaling: signaling, media: media, clock: configuration.callClock, log: log, keeping: keptInvitations,
            clearMedia: configuration.clearMedia, mostCalls: configuration.mostCalls)
        let groupMedia = GroupMediaAdapter(
            sources: sources, screen: configuration.screen,
            allowsLoopback: embedded != nil || addresses.contains(where: \.isLoopback), servers: servers)
        groups = GroupCalls(
            isOn: takesGroups, agent: agent, media: groupMedia,
            rooms: configuration.groupRooms(GroupRoomAdapter(server: groupServers)),
            clock: configuration.callClock)
        media.handOver(to: { [weak self] session, id in await self?.attach(session, to: id) })
        groupMedia.handOver(to: { [weak self] session, id in await self?.attach(session, to: id) })
        groupMedia.askSwitches { [weak self] id in await self?.groupCalls[id]?.state }
        groups.lines.onOthers { [weak self] message, call, peer in
            await self?.noteElsewhere(message, of: call, from: peer)
        }
        groups.lines.askSecrets { [weak self] in await self?.recognitionSecrets ?? [:] }
        groups.lines.onSynchronisation { [weak self] in await self?.checkComparedCodes(in: $0) }
        try await loadCallServers(configuration)
        try await loadGroupServer(configuration)
    }

    /// The profile's settings as they are kept; should they be damaged by now, everybody is told.
    func settings() throws(AccountError) -> StoredSettings {
        let settings = try StoredSettings(directory)
        if let loss = settings.loss { listeners.send(.settings(loss)) }
        return settings
    }

    static let contactsName = "contacts"

    // MARK: What it tells

    /// What happens, beginning with what holds now. Each use is a new stream.
    public nonisolated var updates: AsyncStream<AccountUpdate> { listeners.stream() }

    /// The name contacts see.
    public var displayName: String { profile.displayName }

    /// All contacts, oldest first.
    public func contacts() -> [Contact] { book.contacts }

    /// The contact of that name.
    /// - Throws: `AccountError.unknownContact`.
    public func contact(named name: String) throws(AccountError) -> Contact {
        guard let contact = book.contacts.first(where: { $0.name == name }) else { throw .unknownContact(name) }
        return contact
    }

    // MARK: Calls

    /// Looks whether this machine can make calls at all, and has what they need read while one rings.
    func prepareMedia() async throws(AccountError) {
        // It may read all of GStreamer's plugins anew.
        let begun = await Task.detached { Result { () throws(MediaError) in try MediaRuntime.start() } }.value
        do throws(MediaError) { try begun.get() } catch { throw .media(error) }
        MediaRuntime.load()
    }

    /// Calls a contact. Nobody is called from a machine that can't make calls. `present` says what becomes of the call that the
    /// person takes part in; without it, there must be none.
    /// - Throws: `AccountError`; `.call` while another call is on that does not make room.
    public func call(
        _ contact: Contact, media: CallMedia, present: PresentCall? = nil
    ) async throws(AccountError) -> Call {
        try await prepareMedia()
        let record = book[contact.id]
        guard record?.isBlocked != true else { throw .contactBlocked(contact.name) }
        guard record?.isConnected == true else {
            throw record?.isGone == true ? .contactGone(contact.name) : .notConnected(contact.name)
        }
        if present == .end { await leaveGroupCalls() }
        let id: CallID
        do throws(CallError) {
            id = try await center.dial(contact.id, media: media, present: present)
        } catch {
            switch error {
            case .notPermitted: throw .callsNotAllowed(contact.name)
            case .blocked: throw .contactBlocked(contact.name)
            default: throw .call(error)
            }
        }
        guard let update = center.update(of: id) else { throw .call(.noSuchCall) }
        return adopt(update, with: contact)
    }

    /// Says whether the person takes no calls for now: who calls from now on is told at once that the person is busy. It is not
    /// remembered, and makes no difference while they are busy by choice.
    public func setBusy(_ isBusy: Bool) async {
        isBusyForNow = isBusy
        await tellBusy()
    }

    /// Says whether the person takes no calls until they say otherwise, also after the next start. It is in force also when it can't
    /// be remembered.
    /// - Throws: `AccountError.folder`.
    public func setBusyByChoice(_ isBusy: Bool) async throws(AccountError) {
        isBusyByChoice = isBusy
        await tellBusy()
        var settings = try settings()
        try settings.remember(isBusy: isBusy)
    }

    /// Says what the person does in calls of other accounts of theirs, which share their attention with this one: who calls here
    /// waits for it as behind a call of this account.
    public func setCallsElsewhere(_ calls: CallsElsewhere) async {
        callsElsewhere = calls
        await tellElsewhere()
    }

    /// While there is a group call, there is no room for others: they don't share devices with it.
    func tellElsewhere() async {
        var all = callsElsewhere
        if isInGroupCall { all = CallsElsewhere(count: all.count + Self.roomOfGroupCall, hasAttention: true) }
        await center.setElsewhere(all)
    }

    /// More calls than there can be.
    private static let roomOfGroupCall = 1_000

    /// Whether who calls is told at once that the person is busy.
    var takesNoCalls: Bool { isBusyForNow || isBusyByChoice == true }

    private func tellBusy() async { await center.setBusy(takesNoCalls) }

    /// Ends every call there is.
    func hangUpAll() async {
        for call in calls.values { await call.hangUp() }
        for call in groupCalls.values { await call.hangUp() }
    }

    /// Uses a device from now on in every call there is; nil is the standard one.
    func selectInCalls(_ device: MediaDevice?, as kind: DeviceKind) async {
        for call in calls.values { await call.select(device, as: kind) }
        for call in groupCalls.values { await call.select(device, as: kind) }
    }

    /// Tells every call that the machine's addresses have changed.
    func tellCalls(of change: AddressChange) async {
        await center.networkChanged(hasLostAddress: change.hasLostAddress)
        for call in groupCalls.values { await call.networkChanged() }
    }

    // MARK: Life

    private func start(offersTestCall: Bool) async {
        tasks.append(
            Task { [weak self, events = agent.events] in
                for await event in events { await self?.handle(event) }
            })
        tasks.append(
            Task { [weak self, updates = center.updates] in
                for await update in updates { await self?.handle(update) }
            })
        let following = Task { [weak self, news = groups.center.news] in
            for await news in news { await self?.handle(news) }
        }
        followingGroups = following
        tasks.append(following)
        tasks.append(
            Task { [weak self, outcomes = signaling.outcomes] in
                for await outcome in outcomes { await self?.handle(outcome) }
            })
        tasks.append(
            Task { [weak self, log] in
                for await entry in log.entries {
                    await self?.handle(entry)
                    log.handled()
                }
            })
        tasks.append(
            Task { [weak self, changes = messageStore.changes.stream()] in
                for await change in changes { await self?.handle(change) }
            })
        tasks.append(
            Task { [weak self, news = network.news] in
                for await news in news { await self?.handle(news) }
            })
        tasks.append(
            Task { [weak self, changes = keptInvitations.changes] in
                for await _ in changes { await self?.storeInvitations() }
            })
        for record in book.records {
            let id = ContactID(rawValue: record.connection)
            await permit(id)
            await obeyBlock(of: id)
            await center.setAbilities(record.abilities, for: id)
        }
        await loadRequestLabels()
        await loadPictures()
        await tellBusy()
        await restoreCalls(besides: await restoreInvitations())
        await restoreMessages()
        await restoreGroup()
        listeners.send(.takesGroupCalls(groups.isOn))
        listeners.send(.storeKey(storeKeyStatus))
        listeners.send(.contacts(book.contacts))
        for status in (try? await relayStatuses()) ?? [] { listeners.send(.relay(status)) }
        await tellRequests()
        await agent.start()
        await groups.lines.sweep()
        await reopenPort()
        tasks.append(
            Task { [weak self] in
                await self?.finishRemovals()
                try? await self?.clearKeyring(mayAsk: false)
                await self?.tellProfile()
                await self?.checkComparedCodes()
            })
        followLastCalls()
        forgetting = Task { [weak self] in await self?.forgetOldCalls() }
        if offersTestCall { testCall = Task { [weak self] in await self?.startTestCall() } }
    }

    /// Ends the calls, the agent and the embedded relay. What is still to be sent goes out after the next start.
    ///
    /// It does all this also when the task that waits for it is cancelled.
    public func close() async {
        let closing = closing ?? Task { await end() }
        self.closing = closing
        await closing.value
    }

    private func end() async {
        testCall?.cancel()
        forgetting?.cancel()
        people.lastCalls?.cancel()
        await finishRemovals()
        expiry?.cancel()
        network.stop()
        await center.shutDown()
        await groups.center.shutDown()
        // What it told last is still to be kept.
        await followingGroups?.value
        await echo?.close()
        await flush()
        await keptInvitations.store()
        await wait(within: .seconds(3)) { [log] in await log.waitUntilHandled() }
        await callLog.store()
        await agent.stop()
        signaling.finish()
        keptInvitations.finish()
        messageStore.changes.finish()
        log.finish()
        // Their streams have ended; waiting lets every call hear of its end.
        for task in tasks { await task.value }
        for call in calls.values { call.abandon() }
        for call in groupCalls.values { call.abandon() }
        listeners.finish()
        callLog.finish()
        await presence?.end()
        await embedded?.stop()
        lock.release()
    }

    /// Gives the last messages of calls, such as their end, a moment to reach the relay: 3 s at most.
    public func flush() async {
        await center.settle()
        await groups.center.settle()
        await wait(within: .seconds(3)) { [signaling, groups] in
            await signaling.waitUntilSent()
            await groups.lines.waitUntilSent()
        }
    }

    // MARK: The test call

    /// Has the relays forget every queue of an account that nobody opens again, for a second at most. The other sides are not told.
    func abandonQueues() async {
        for connection in (try? await agent.connections()) ?? [] { try? await agent.delete(connection.id) }
        await wait(within: .seconds(1)) { [agent] in await agent.finishDeleting() }
    }

    private func startTestCall() async {
        do {
            for record in book.records where record.isTestCall {
                try? await remove(ContactID(rawValue: record.connection))
            }
            let echo = try await EchoPeer(
                directory: directory.file(EchoPeer.folderName), relay: (embedded?.localAddress ?? ownRelay()).text,
                servers: callServers.servers, networkRelays: networkRelays)
            guard closing == nil else { return await echo.close() }
            self.echo = echo
            let invitation = try await makeInvitation()
            await changeBook(of: invitation.id) { $0.markTestCall(invitation.id, name: EchoPeer.displayName) }
            try await echo.connect(link: invitation.link)
        } catch {
            if closing == nil { listeners.send(.notice(.testCallUnavailable(Cause(error)))) }
        }
    }

    func ownRelay() throws(AccountError) -> RelayAddress {
        guard let relay = relays.first else { throw .noRelay }
        return relay
    }

    private static func embeddedRelay(
        _ relays: AccountConfiguration.Relays, _ directory: ProfileDirectory
    ) async throws(AccountError) -> EmbeddedRelay? {
        guard case .embedded(let host, let port) = relays else { return nil }
        return try await EmbeddedRelay(host: host, port: port, stateDirectory: directory.file("relay"))
    }
}

extension RelayAddress {
    /// Whether the relay is on this machine.
    var isLoopback: Bool { hosts.contains { $0 == "localhost" || $0 == "::1" || $0.hasPrefix("127.") } }
}
