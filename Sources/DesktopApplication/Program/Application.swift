import CGtk
import GLibKit
import Glibc
import Wording

/// The application: one account, one main window, at most one call at a time.
@MainActor final class Application {
    private let application: Object
    private let options: Options
    private let provider: any CallProvider
    private let presenter: CallPresenter
    private let geometry = WindowGeometry()
    private var main: Main?
    private let dialogs: Dialogs
    private let notifications: CallNotifications
    private var contacts: [ContactItem] = []
    private var isDialling = false
    private var isClosing = false
    private var opening = Opening.begun

    /// What there is from the first activation on.
    private struct Main {
        var window: MainWindow
        var calls: CallWindows
        var sounds: CallSounds
        var surroundings: CallSurroundings
        var sleep: SleepHandling
    }

    /// How far the account has come.
    private enum Opening { case begun, done, failed }

    /// Prepares the application; nothing is opened before `run`. One that is alone never becomes a part of another instance.
    init(_ options: Options, _ provider: any CallProvider, isAlone: Bool) {
        self.options = options
        self.provider = provider
        presenter = CallPresenter { try await provider.devices() }
        let settings = NotificationSettings()
        dialogs = Dialogs(provider, notifications: settings)
        let flags = isAlone ? G_APPLICATION_NON_UNIQUE : GApplicationFlags(rawValue: 0)
        application = Object(
            adopting: UnsafeMutableRawPointer(adw_application_new(ApplicationIdentity.id, flags)))
        notifications = CallNotifications(application, settings)
        application.connect("activate") { [weak self] in self?.activate() }
        notifications.onOpen = { [weak self] in self?.main?.window.present(token: $0) }
        notifications.onCallBack = { [weak self] in self?.callBack($0, kind: $1, token: $2) }
    }

    /// Runs until the person quits; gives the exit status.
    func run() -> Int32 {
        var words = ["parley"]
        if options.isService { words.append("--gapplication-service") }
        UnixSignals.atFirst(of: [SIGTERM, SIGINT, SIGHUP]) { [weak self] in self?.quit() }
        let copies = words.map { g_strdup($0) } + [nil]
        defer { for copy in copies { g_free(copy) } }
        var arguments = copies
        return g_application_run(application.pointer(), gint(words.count), &arguments)
    }

    private func activate() {
        guard !isClosing else { return }
        if let main {
            main.window.present()
            return
        }
        gtk_window_set_default_icon_name(ApplicationIdentity.id)
        let window = MainWindow(application: application) { [weak self] contact, wish in
            self?.perform(wish, for: contact)
        } onAnswer: { [weak self] request, isWelcome in
            self?.answer(request, isWelcome)
        }
        dialogs.window = window
        window.onRetry = { [weak self] in self?.dialogs.run { try await $0.retryNow() } }
        _ = Actions(application: application) { [weak self] in self?.perform($0) }
        let calls = CallWindows(
            application: application, window: window, dialogs: dialogs.open, presenter: presenter,
            notifications: notifications
        ) { [weak self] device, kind in
            self?.dialogs.run { try await $0.choose(device, as: kind) }
        } onIgnore: { [weak self] in
            self?.main?.sounds.silence()
            self?.main?.surroundings.ignore()
        } onCall: { [weak self] contact, kind in
            self?.call(contact, kind: kind)
        }
        dialogs.callLevels = { [presenter] in
            presenter.snapshot.stage.isFlowing ? presenter.call?.microphoneLevels() : nil
        }
        let sounds = CallSounds(provider) { [weak self] in self?.main?.window.toast($0) }
        presenter.onFlow = { [weak self] in self?.dialogs.callBegan() }
        let surroundings = CallSurroundings(application, window: window.root)
        presenter.onState = {
            sounds.follow($0)
            surroundings.show($0?.stage)
        }
        main = Main(window: window, calls: calls, sounds: sounds, surroundings: surroundings, sleep: watchSleep())
        window.root.connect("close-request", returning: Bool.self) { [weak self] _ in
            self?.quit()
            return true
        }
        geometry.restore(window.root)
        window.showStarting(tr("Opening your profile…"))
        window.present()
        let updates = provider.updates
        Task { [weak self] in
            for await update in updates { self?.receive(update) }
        }
        Task { [provider] in await provider.start() }
        lookForObstacle()
    }

    private func watchSleep() -> SleepHandling {
        SleepHandling { [presenter, provider] in
            // Who calls meanwhile may ring on: their call is there still, or missed, when the machine wakes up.
            if presenter.isBusy, presenter.snapshot.stage != .ringingIn { await presenter.call?.hangUp() }
            await provider.flush()
        } afterSleep: { [provider] in
            try? await provider.retryNow()
        }
    }

    /// Before anybody is called: whether calls are possible here.
    private func lookForObstacle() {
        Task { [weak self, provider] in
            let sentence = await provider.obstacleToCalls()
            guard let self, let window = main?.window else { return }
            switch (sentence, window.page) {
            case (let sentence?, .starting), (let sentence?, .contacts), (let sentence?, .obstacle):
                if opening != .failed { window.showObstacle(sentence) }
            case (nil, .obstacle): leaveObstacle()
            case (_, _): break
            }
        }
    }

    private func leaveObstacle() { main?.window.page = opening == .done ? .contacts : .starting }

    private func receive(_ update: ProviderUpdate) {
        guard let window = main?.window else { return }
        switch update {
        case .starting(let sentence): window.showStarting(sentence)
        case .ready:
            opening = .done
            if window.page == .starting { window.page = .contacts }
        case .failed(let sentence):
            opening = .failed
            window.showFailure(sentence)
        case .contacts(let contacts):
            self.contacts = contacts
            window.show(contacts)
            dialogs.show(contacts)
        case .requests(let requests): window.show(requests)
        case .incoming(let call): ring(call)
        case .missed(let call): miss(call)
        case .relays(let relays):
            window.showRelay(RelayPresentation.line(relays), canRetry: RelayPresentation.canRetry(relays))
            dialogs.show(relays)
        case .key(let place): dialogs.show(place)
        case .trouble(let sentence):
            window.showTrouble(sentence)
            // During a call the contacts are not in sight.
            if window.page.isOfCall || sentence == nil {
                window.toast(sentence ?? tr("The profile can be written again."))
            }
        case .notice(let sentence): window.toast(sentence)
        }
    }

    private func ring(_ call: any CallSession) {
        guard !call.snapshot.stage.isEnded else {
            // No page has told it.
            main?.window.toast(tr("You missed a call from %s.", call.contact.name))
            return
        }
        guard !presenter.isBusy else {
            let sentence = tr("%s called while you were in a call.", call.contact.name)
            miss(MissedCallItem(contact: call.contact, kind: call.kind, sentence: sentence, isTold: false))
            Task { await call.decline() }
            return
        }
        presenter.show(call)
    }

    private func miss(_ call: MissedCallItem) {
        // Of a call that rang, its own page tells the end, under the caller's name.
        if !call.isTold { main?.window.toast(call.sentence) }
        notifications.tell(call)
    }

    /// Calls somebody whose call was missed, if they are still a contact.
    private func callBack(_ contact: ContactItem, kind: CallKind, token: String?) {
        main?.window.present(token: token)
        guard let contact = contacts.first(where: { $0.id == contact.id }) else {
            main?.window.toast(tr("%s is not among your contacts any more.", contact.name))
            return
        }
        call(contact, kind: kind)
    }

    private func call(_ contact: ContactItem, kind: CallKind) {
        guard !isClosing else { return }
        guard !presenter.isBusy, !isDialling else {
            main?.window.toast(tr("End the present call first."))
            return
        }
        isDialling = true
        notifications.forget(contact)
        Task { [provider, presenter] in
            defer { isDialling = false }
            do {
                let call = try await provider.call(contact, kind: kind)
                guard !isClosing else { return await call.hangUp() }
                // Somebody may have called meanwhile.
                guard presenter.isBusy else { return presenter.show(call) }
                main?.window.toast(tr("End the present call first."))
                await call.hangUp()
            } catch {
                main?.window.toast(sentence(of: error))
            }
        }
    }

    private func perform(_ name: Actions.Name) {
        switch name {
        case .addContact: dialogs.addContact()
        case .lookAgain: lookForObstacle()
        case .goOn: leaveObstacle()
        case .address: dialogs.showAddress()
        case .preferences: dialogs.showPreferences()
        case .shortcuts: dialogs.showShortcuts()
        case .about: dialogs.showAbout()
        case .quit: quit()
        }
    }

    private func perform(_ wish: ContactWish, for contact: ContactItem) {
        switch wish {
        case .call(let kind): call(contact, kind: kind)
        case .verify: dialogs.verify(contact)
        case .remove: dialogs.remove(contact)
        case .takeName: dialogs.run { try await $0.takeName(of: contact) }
        case .repair: dialogs.run { try await $0.repair(contact) }
        case .retry: dialogs.run { try await $0.retry(contact) }
        case .showLink: dialogs.showLink(of: contact)
        }
    }

    private func answer(_ request: RequestItem, _ isWelcome: Bool) {
        dialogs.run { isWelcome ? try await $0.accept(request) : try await $0.decline(request) }
    }

    private func quit() {
        // What asks once more, such as SIGHUP behind SIGTERM at the end of a session, changes nothing.
        guard !isClosing else { return }
        isClosing = true
        guard let main else { return g_application_quit(application.pointer()) }
        self.main = nil
        main.sounds.close()
        geometry.save(main.window.root)
        g_application_hold(application.pointer())  // no window is left while the rest is closed
        dialogs.open.closeAll()
        main.calls.close()
        main.sleep.close()
        main.window.close()
        Task { [provider, presenter, application, notifications] in
            if presenter.isBusy { await presenter.call?.hangUp() }
            async let others: Void = main.surroundings.close()
            async let told: Void = notifications.close()
            await provider.close()
            _ = await (others, told)
            g_application_quit(application.pointer())
        }
    }
}
