import BaseKit
import CallControl
import DesktopSession
import GLibKit
import Glibc
import Wording

/// The program's core: the profiles that are open, their calls, and windows when they are wanted. It runs as well without any.
@MainActor final class Application {
    private let profiles: Profiles
    private let host: ProfileHost
    private let settings: ProgramSettings
    private let presence: Presence?
    private let autostart: Autostart?
    private let presenter: CallPresenter
    private let roster: CallRoster
    private let notifications: CallNotifications
    private let reception: CallReception
    private let sounds: CallSounds
    private let surroundings = CallSurroundings()
    private let keys: CallKeys
    private var export: CallExport?
    private var logExport: LogExport?
    private var sleep: SleepHandling?
    private var busyMode: BusyMode?
    private var interface: Interface?
    private let dialling: Dialling
    private let links: LinkInbox
    private let clipboard: ClipboardWatch
    private var isClosing = false
    /// Whether there was a main window: one that was never wanted is no reason to end when it is closed.
    private var hadWindow = false
    /// Whether somebody wanted the program while it ended.
    private var isWantedAgain = false
    private let (ended, end) = AsyncStream<Void>.makeStream()

    /// Prepares the program; nothing is opened before `run`. One without a presence on the bus ends with its last window.
    init(_ profiles: Profiles, settings: ProgramSettings = ProgramSettings(), presence: Presence?) {
        self.profiles = profiles
        self.settings = settings
        self.presence = presence
        autostart = presence.map { _ in Autostart(.parley) }
        presenter = CallPresenter { try await profiles.shown.provider.devices() }
        roster = CallRoster(presenter)
        notifications = CallNotifications(settings, hasName: presence != nil)
        host = ProfileHost(profiles, roster, notifications, settings)
        dialling = Dialling(roster) { profiles.owner(of: $0).provider }
        links = LinkInbox { profiles.shown.provider }
        clipboard = ClipboardWatch { profiles.shown.provider }
        keys = CallKeys(settings)
        let inquiry = RingInquiry(settings) { [notifications] in await notifications.features() }
        reception = CallReception(roster, notifications) {
            await presence?.adoptDisplay()
            return await inquiry.decide()
        }
        sounds = CallSounds { profiles.shown.provider }
        connect()
    }

    /// How far the account has come that is shown.
    private var opening: AccountOpening { profiles.shown.opening }

    private func connect() {
        host.interface = { [weak self] in self?.interface }
        host.onReachability = { [weak self] in self?.tellReachability() }
        host.onTurn = { [weak self] in
            self?.reception.mainWindowOpened()
            self?.links.goOn()
        }
        profiles.onUpdate = { [weak self] in self?.receive($0, of: $1) }
        notifications.onOpen = { [weak self] token in self?.withDisplay { $0.openAsAsked(token: token) } }
        notifications.onMessages = { [weak self] contact, token in
            self?.withDisplay {
                $0.openAsAsked(token: token)
                $0.host.show(profileOf: contact)
                $0.interface?.dialogs.showMessages(with: contact)
            }
        }
        notifications.onCallBack = { [weak self] contact, kind, token in
            self?.withDisplay { $0.callBack(contact, kind: kind, token: token) }
        }
        clipboard.interface = { [weak self] in
            guard let self, !isClosing, opening.overview.opening == .done, let interface, interface.isAtContacts else {
                return nil
            }
            return interface
        }
        clipboard.onOpen = { [weak self] in self?.links.receive([$0]) }
        links.onReceive = { [weak self] in self?.clipboard.note($0) }
        links.dialogs = { [weak self] in
            guard let self, !isClosing, opening.overview.opening == .done, let interface else { return nil }
            return interface.hasMainWindow ? interface.dialogs : nil
        }
        reception.onOpen = { [weak self] in self?.open(token: $0) }
        reception.onCall = { [weak self] in self?.call($0, kind: $1) }
        reception.onCallTogether = { [weak self] in self?.call(together: $0, kind: $1) }
        reception.onComeBack = { [weak self] in self?.comeBack(with: $0) }
        reception.onInvite = { [weak self] in self?.invite($0, to: $1) }
        reception.onBlock = { [weak self] in self?.block($0) }
        reception.onWrite = { [weak self] in self?.write(to: $0) }
        reception.onReply = { [weak self] in self?.reply($0, to: $1) }
        reception.onIgnore = { [weak self] in self?.follow() }
        roster.onEnd = { [weak self] in self?.tellEnd(of: $0) }
        sounds.onNotice = { [weak self] in self?.interface?.complain($0, .preferences) }
        keys.onWish = { [weak self] in self?.perform($0) }
        settings.onChange = { [weak self] flag in
            self?.interface?.dialogs.show(flag)
            switch flag {
            case .takesMediaKeys, .hasKeysEverywhere, .showsCaller: self?.keys.settingsChanged()
            case .letsProgramsCall:
                self?.export?.setEnabled(self?.settings[flag] ?? false)
                self?.logExport?.setEnabled(self?.settings[flag] ?? false)
            case .isBusy, .isBusyWhileQuiet:
                self?.busyMode?.settingsChanged()
                self?.tellReachability()
            case .ringsAllTheSame, .alwaysHasRingWindow, .talksWithSpace, .looksBeforeCalls: break
            }
        }
        surroundings.onStill = { [weak self] in self?.keys.playersStandStill() }
        surroundings.onAwake = { [weak self] in self?.interface?.keepAwake($0) }
        reception.onDisplay = { [weak self] in _ = self?.windows() }
        reception.onHeard = { [weak self] in self?.follow() }
        reception.onCalls = { [weak self] in
            guard let self else { return }
            follow()
            host.callsChanged()
            // A question within a call is no call that others could answer.
            export?.show(roster.lines.filter { !$0.snapshot.isQuestion })
            // The next call may be shown already when this is looked at.
            if roster.lines.isEmpty { Task { [weak self] in self?.endIfIdle() } }
        }
    }

    private func tellReachability() {
        export?.show(opening.overview, isLocked: opening.isLocked, isBusy: settings[.isBusy])
    }

    /// Lets the calls be heard, and other programs know of them. One that rings unheard changes nothing for them.
    private func follow() {
        let line = reception.isFrontFelt ? roster.front : nil
        sounds.follow(line?.snapshot, call: line?.number ?? 0, hasWaiting: reception.isWaitingHeard)
        let isInCall = !roster.consented.isEmpty
        surroundings.show(hasCall: isInCall || line?.isOver == false, isInCall: isInCall)
        keys.follow(
            line?.snapshot, call: line?.number, name: line?.session.contact.name,
            playersStandStill: surroundings.isStill)
    }

    /// A call is over behind another one, which has no page that tells it.
    private func tellEnd(of line: CallRoster.Line) {
        if let names = line.snapshot.group?.adding { return tellAnswer(line, names.joined(separator: ", ")) }
        // One of two that went over into one of several goes on in that.
        let hasGrown = roster.lines.contains {
            $0.snapshot.group != nil && !$0.isOver && $0.session.contact.id == line.session.contact.id
        }
        guard !hasGrown else { return }
        if line.wasConnected { sounds.endedBehind() }
        if case .ended(let sentence) = line.snapshot.stage {
            let session = line.session
            interface?.complain(
                session.contact.name + ": " + sentence,
                line.snapshot.isFailure ? .call(session.contact.id, session.kind) : nil)
        }
    }

    /// Nobody is added to the call of two that the person is in.
    private func tellAnswer(_ line: CallRoster.Line, _ names: String) {
        let peer = line.session.contact
        guard !line.session.isIncoming,
            let member = line.snapshot.group?.members.first(where: { $0.contact?.id == peer.id })
        else { return }
        switch member.stage {
        case .declined: interface?.toast(tr("%s wants to stay with you alone.", peer.name))
        case .busy, .noAnswer, .notReached:
            interface?.toast(tr("%1$s did not join: %2$s was not added.", peer.name, names))
        case .inviting, .unreachable, .ringing, .connecting, .connected, .reconnecting, .left, .removed: break
        }
    }

    private func perform(_ wish: CallKeys.Wish) {
        guard let line = roster.front, !line.isOver else { return }
        let call = line.session
        switch wish {
        case .acceptWithSoundOnly: reception.answer(.acceptWithSoundOnly, to: call)
        // A key that is meant for another program declines nothing.
        case .hangUp: if call.snapshot.stage != .ringingIn { Task { await call.hangUp() } }
        case .toggleMicrophone: Task { await call.setMicrophoneEnabled(!call.snapshot.microphoneEnabled) }
        case .setMicrophone(let isOn): Task { await call.setMicrophoneEnabled(isOn) }
        }
    }

    // MARK: Life

    /// Runs until the person quits.
    /// - Parameter opened: Links to open.
    /// - Returns: The links to open by the next one, if somebody wanted the program while it ended, and was told that it would come.
    func run(showsWindow: Bool, opening opened: [String] = []) async -> [String]? {
        UnixSignals.atFirst(of: [SIGTERM, SIGINT, SIGHUP]) { [weak self] in self?.quit() }
        sleep = watchSleep()
        busyMode = BusyMode(settings, profiles)
        try? autostart?.refresh()
        listen()
        if showsWindow { open() }
        links.receive(opened)
        profiles.start()
        for await _ in ended {}
        return isWantedAgain ? links.waiting : nil
    }

    /// Does what is asked over the bus. When that goes, the session is over, or nobody finds the program any more.
    private func listen() {
        guard let presence else { return }
        logExport = LogExport(presence.log) { [profiles] in profiles.shown.provider }
        export = CallExport(
            presence.calls,
            requests: CallExport.Requests(
                dial: { [weak self] in self?.dial($0, kind: $1, then: $2) },
                accept: { [weak self] call, kind in
                    self?.reception.answer(kind == .video ? .accept : .acceptWithSoundOnly, to: call)
                    return self?.interface != nil
                }, show: { [weak self] in self?.open() },
                setBusy: { [weak self] in self?.busyMode?.choose($0) ?? false },
                ignore: { [weak self] in self?.reception.answer(.ignore, to: $0) },
                block: { [weak self] in self?.blockForOthers($0) }))
        Task { [weak self] in
            for await request in presence.requests {
                await presence.adoptDisplay()
                self?.perform(request)
            }
            self?.quit()
        }
    }

    /// Does something that wants a window, once it is known where the screen is.
    private func withDisplay(_ body: @escaping @MainActor (Application) -> Void) {
        Task { [weak self, presence] in
            await presence?.adoptDisplay()
            if let self { body(self) }
        }
    }

    private func perform(_ request: ApplicationRequest) {
        switch request {
        case .activate(let token): openAsAsked(token: token)
        case .open(let given, let token):
            openAsAsked(token: token)
            links.receive(given)
        case .action(ApplicationClient.quitAction, _, _): quit()
        case .action("quit", _, _): askToQuit()
        case .action(let name, let parameter, let token):
            guard let action = BusAction(name, parameter) else { return }
            perform(action, token)
        }
    }

    private func perform(_ action: BusAction, _ token: String?) {
        switch action {
        case .showCall: openAsAsked(token: token)
        case .callBack(let id, let kind):
            openAsAsked(token: token)
            // The account may still be opening: the contact is looked for when it is open. Any program may ask for this.
            opening.whenOpen { [weak self] in self?.dial(id, kind: kind) { _ in } }
        case .answer(let answer): if settings[.letsProgramsCall] { reception.answer(answer, token: token) }
        }
    }

    /// Somebody wants the main window. Who does while the program ends gets it from the next one.
    private func openAsAsked(token: String?) {
        if isClosing { isWantedAgain = true }
        open(token: token)
    }

    /// Opens the main window, or brings it to the front. Does nothing where there is no display.
    func open(token: String? = nil) {
        guard !isClosing, let interface = windows() else { return }
        let wasOpen = interface.hasMainWindow
        interface.show(token: token)
        hadWindow = true
        guard !wasOpen else { return }
        reception.mainWindowOpened()
        opening.windowOpened()
        links.goOn()
    }

    /// What windows need; nil where there is no display.
    private func windows() -> Interface? {
        if let interface { return interface }
        let made = Interface(
            profiles.shown.provider, opening.overview, presenter: presenter, settings: settings, autostart: autostart,
            requests: Interface.Requests(
                call: { [weak self] in self?.call($0, kind: $1) },
                callTogether: { [weak self] in self?.call(together: $0, kind: $1) },
                addPeople: { [weak self] in self?.add($0, to: $1) },
                comeBack: { [weak self] in self?.comeBack() }, close: { [weak self] in self?.mainWindowCloses() },
                quit: { [weak self] in self?.askToQuit() }, open: { [weak self] in self?.open() },
                tryAgain: { [weak self] in self?.opening.start() },
                profiles: host.requests))
        guard let made else { return nil }
        interface = made
        made.onFocus = { [weak self] in self?.clipboard.look() }
        made.dialogs.onConnect = { [weak self] in self?.clipboard.note($0) }
        made.dialogs.onLink = { [weak self] in self?.links.receive([$0]) }
        notifications.watch(made.application)
        reception.windows = made.calls
        made.keepAwake(surroundings.isAwake)
        return made
    }

    private func watchSleep() -> SleepHandling {
        SleepHandling { [roster, profiles] in
            // Who calls meanwhile may ring on: their call is there still, or missed, when the machine wakes up.
            for line in roster.consented { await line.session.hangUp() }
            for profile in profiles.all { await profile.provider.flush() }
        } afterSleep: { [profiles] in
            for profile in profiles.all { try? await profile.provider.retryNow() }
        }
    }

    // MARK: What the account tells

    private func receive(_ update: ProviderUpdate, of profile: OpenProfile) {
        guard !isClosing else { return }
        let isShown = profile === host.shown
        if isShown { interface?.receive(update) }
        profile.opening.receive(update)
        switch update {
        case .incoming(let call): ring(call)
        case .missed(let call): miss(call, profile.provider.profileLabel?.name)
        case .written(let message): host.tell(message, in: profile)
        case .contacts(let contacts):
            for contact in contacts where contact.unreadMessages == 0 { notifications.forgetMessages(of: contact) }
        case .lost(let sentence):
            notifications.tell(
                "lost " + sentence, summary: tr("A call was cut off"), body: settings[.showsCaller] ? sentence : nil)
        case .ready:
            host.ready(profile) { [busyMode] in await busyMode?.accountIsOpen() }
            guard isShown else { break }
            links.goOn()
            clipboard.look()
        case .starting, .name, .failed, .moved, .locked, .requests, .relays, .key, .trouble, .notice, .network,
            .takesGroupCalls, .groupCallGoesOn:
            break
        }
    }

    private func ring(_ call: any CallSession) {
        guard !call.snapshot.stage.isEnded else {
            // No page has told it.
            interface?.complain(
                tr("You missed a call from %s.", call.contact.name), .call(call.contact.id, call.kind))
            return
        }
        roster.add(call)
    }

    private func miss(_ call: MissedCallItem, _ profile: String?) {
        // Of a call that rang, its own page tells the end, under the caller's name.
        if !call.isTold { interface?.complain(call.sentence, .call(call.contact.id, call.kind)) }
        notifications.tell(call, in: profile)
    }

    // MARK: What the person wants

    /// Calls somebody whose call was missed, if they are still a contact.
    private func callBack(_ contact: ContactItem, kind: CallKind, token: String?) {
        openAsAsked(token: token)
        guard let contact = profiles.contact(where: { $0.id == contact.id }) else {
            interface?.toast(tr("%s is not among your contacts any more.", contact.name))
            return
        }
        call(contact, kind: kind)
    }

    private func call(
        _ contact: ContactItem, kind: CallKind, then tell: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        // Nobody is in a call that can't be seen.
        guard !isClosing, let interface, interface.hasMainWindow else { return tell(false) }
        notifications.forget(contact)
        dialling.call(contact, kind: kind, in: interface) { [weak self] isShown in
            tell(isShown)
            if !isShown { self?.endIfIdle() }
        }
    }

    private func call(together contacts: [ContactItem], kind: CallKind) {
        guard !isClosing, let interface, interface.hasMainWindow else { return }
        for contact in contacts { notifications.forget(contact) }
        dialling.call(together: contacts, kind: kind, in: interface) { [weak self] isShown in
            if !isShown { self?.endIfIdle() }
        }
    }

    private func add(_ contacts: [ContactItem], to call: any CallSession) {
        guard !isClosing, let interface else { return }
        dialling.add(contacts, to: call, in: interface)
    }

    /// Comes back into a call of several that goes on, of the profile of a contact or of the one that is shown.
    private func comeBack(with contact: ContactItem? = nil) {
        guard !isClosing, let interface, interface.hasMainWindow else { return }
        let provider = contact.map { profiles.owner(of: $0).provider } ?? profiles.shown.provider
        dialling.comeBack(provider, in: interface) { [weak self] isShown in
            if !isShown { self?.endIfIdle() }
        }
    }

    private func invite(_ contact: ContactItem, to call: any GroupCallSession) {
        Task { [weak self] in
            do {
                try await call.invite(contact)
            } catch {
                self?.interface?.complain(error, about: contact)
            }
        }
    }

    /// The person wants to write to whoever is in the call, or was declined.
    private func write(to contact: ContactItem) {
        withDisplay {
            $0.open()
            $0.host.show(profileOf: contact)
            $0.interface?.dialogs.showMessages(with: contact)
        }
    }

    /// Writes a sentence to whoever was declined.
    private func reply(_ text: String, to contact: ContactItem) {
        Task { [weak self, provider = profiles.owner(of: contact).provider] in
            do {
                try await provider.send(text, to: contact)
            } catch {
                self?.interface?.complain(error, about: contact) { self?.reply(text, to: contact) }
            }
        }
    }

    /// Another program has whoever calls blocked. The person is told of it where they would not see it.
    private func blockForOthers(_ call: any CallSession) {
        let contact = call.contact
        reception.blockCaller(of: call)
        notifications.tell(
            "blocked", summary: tr("A contact is blocked"),
            body: settings[.showsCaller] ? tr("Another program had %s blocked.", contact.name) : nil)
    }

    /// Blocks whoever calls; their call goes without a word to them.
    private func block(_ call: any CallSession) {
        notifications.forget(call.contact)
        block(call.contact)
    }

    private func block(_ contact: ContactItem) {
        Task { [weak self, provider = profiles.owner(of: contact).provider] in
            do {
                try await provider.setBlocked(true, contact)
                self?.interface?.toast(tr("%s is blocked.", contact.name))
            } catch {
                self?.interface?.complain(error, about: contact) { self?.block(contact) }
            }
        }
    }

    /// Another program wants somebody to be called: the person sees it and agrees, or it is not done.
    private func dial(
        _ name: String, kind: CallKind, then finish: @escaping @MainActor (CallOutcome) -> Void
    ) {
        guard let contact = profiles.contact(named: name) else { return finish(.refused(.noSuchContact)) }
        guard !contact.isBlocked else { return finish(.refused(.blocked)) }
        guard !roster.isBusy, !dialling.isUnderWay, !isClosing else { return finish(.refused(.wrongState)) }
        open()
        guard let interface else { return finish(.refused(.noDisplay)) }
        interface.dialogs.askToCall(contact, kind: kind) { [weak self] isWanted in
            guard isWanted, let self else { return finish(.refused(.cancelled)) }
            call(contact, kind: kind) { [weak self] isDone in
                guard isDone, let call = self?.roster.lines.last?.number else { return finish(.refused(.notReachable)) }
                finish(.dialled(call: CallExport.name(of: call)))
            }
        }
    }

    /// The person closes the main window. A call goes on without it, and so does a program that is to be reached.
    private func mainWindowCloses() {
        // Who leaves in the middle of the welcome has not seen yet what they would decide about.
        guard let autostart, autostart.choice == .undecided, !roster.isBusy, interface?.isWelcoming != true else {
            return closeMainWindow()
        }
        interface?.dialogs.askToStay { [weak self] isWanted in
            do throws(GLibError) {
                try autostart.set(isWanted)
                self?.closeMainWindow()
            } catch {
                self?.interface?.complain(tr("That can’t be kept: %s", error), .tryAgain) {
                    self?.mainWindowCloses()
                }
            }
        }
    }

    private func closeMainWindow() {
        interface?.closeMain()
        endIfIdle()
    }

    /// Ends a program whose main window was closed, and that is in no call and need not be reached.
    private func endIfIdle() {
        let isIdle = interface?.hasMainWindow != true && !roster.isBusy && !dialling.isUnderWay
        if hadWindow, isIdle, autostart?.choice != .on { quit() }
    }

    private func askToQuit() {
        guard let interface, roster.isBusy || autostart?.choice == .on else { return quit() }
        interface.askToQuit(hasCall: roster.isBusy) { [weak self] in self?.quit() }
    }

    /// Ends the present call, takes back what other programs were told, closes the account and ends the program.
    func quit() {
        // What asks once more, such as SIGHUP behind SIGTERM at the end of a session, changes nothing.
        guard !isClosing else { return }
        isClosing = true
        dialling.close()
        sounds.close()
        reception.close()
        sleep?.close()
        busyMode?.close()
        interface?.close()
        profiles.stop()
        Task { [profiles, roster, surroundings, notifications, keys] in
            // One that rings is kept: it rings on after the next start, or is a missed call.
            for line in roster.consented { await line.session.hangUp() }
            async let others: Void = surroundings.close()
            async let told: Void = notifications.close()
            async let keys: Void = keys.close()
            await profiles.close()
            _ = await (others, told, keys)
            end.finish()
        }
    }
}
