import Wording

/// Has the accounts of all open profiles ask and tell through one program: its windows, its notifications, its calls.
@MainActor final class ProfileHost {
    /// The windows, where there are any.
    var interface: () -> Interface? = { nil }
    /// Is told that an account has come further, or less far.
    var onReachability: () -> Void = {}
    /// Is told that another profile is shown, in the main window that is open.
    var onTurn: () -> Void = {}
    /// The profiles.
    let profiles: Profiles
    private let sharing: CallSharing
    private let devices: DeviceSharing
    private let notifications: CallNotifications
    private let settings: ProgramSettings
    /// Whether it is known whether the person takes no calls.
    private var knowsBusy = false

    /// Lets the profiles share these calls and notifications.
    init(_ profiles: Profiles, _ roster: CallRoster, _ notifications: CallNotifications, _ settings: ProgramSettings) {
        (self.profiles, self.notifications, self.settings) = (profiles, notifications, settings)
        sharing = CallSharing(profiles, roster)
        devices = DeviceSharing(profiles)
        profiles.onOpen = { [weak self] in self?.prepare($0) }
        profiles.onChange = { [weak self] in self?.interface()?.profilesChanged() }
        profiles.onShow = { [weak self] in self?.turn() }
        profiles.onNotice = { [weak self] in self?.tell($0) }
        profiles.endCalls = { [sharing] in await sharing.endCalls(of: $0) }
    }

    /// The one that is shown.
    var shown: OpenProfile { profiles.shown }

    /// What windows ask of the profiles; nil where there is but one.
    var requests: ProfileRequests? {
        guard profiles.canHaveSeveral else { return nil }
        return ProfileRequests(
            rows: { [profiles] in profiles.rows }, make: { [profiles] in profiles.make() },
            bring: { [weak self] in self?.bring() }, brought: { [profiles] in profiles.brought() },
            show: { [profiles] in profiles.show($0) }, close: { [profiles] in profiles.close($0) },
            remove: { [profiles] in profiles.remove($0) })
    }

    /// Has a further profile brought, beside those that there are.
    private func bring() {
        profiles.make()
        interface()?.bringProfile()
    }

    /// There are other calls, or they stand otherwise.
    func callsChanged() { sharing.share() }

    /// Shows the profile that somebody is a contact of.
    func show(profileOf contact: ContactItem) {
        let owner = profiles.owner(of: contact)
        if owner !== shown { profiles.show(owner.id) }
    }

    /// The account of a profile is open. The first that is shown and open says whether the person takes no calls, as `askBusy` finds
    /// out; from then on that holds for all.
    func ready(_ profile: OpenProfile, askBusy: @escaping @MainActor () async -> Void) {
        devices.ready(profile)
        sharing.forget(profile.id)
        guard knowsBusy || profile === shown else { return }
        let isFirst = !knowsBusy
        knowsBusy = true
        Task { [weak self] in
            if isFirst { await askBusy() }
            await self?.shareBusy()
        }
    }

    private func shareBusy() async {
        guard profiles.all.count > 1 else { return }
        for profile in profiles.all where profile.opening.overview.opening == .done {
            let isBusy = await profile.provider.isBusyByChoice ?? false
            if isBusy != settings[.isBusy] { await profile.provider.setBusyByChoice(settings[.isBusy]) }
        }
    }

    /// A contact of a profile has written.
    func tell(_ message: WrittenItem, in profile: OpenProfile) {
        let name = profile.provider.profileLabel?.name
        notifications.tell(message, in: name)
        if profile !== shown, let name {
            interface()?.toast(tr("%1$s has written to %2$s.", message.contact.name, name))
        }
    }

    private func prepare(_ profile: OpenProfile) {
        let (opening, provider) = (profile.opening, profile.provider)
        let subject = profile.id == 1 ? "account" : "account \(profile.id)"
        // The keyring and the passphrase are asked for only by the profile that the person looks at.
        opening.hasWindow = { [weak self, weak profile] in
            guard let self else { return false }
            return interface()?.hasMainWindow == true && shown === profile
        }
        opening.onChange = { [weak self] in self?.onReachability() }
        opening.onTrouble = { [weak self, weak provider] sentence in
            let name = self?.notifications.showsCaller == true ? provider?.profileLabel?.name : nil
            let body = [name, sentence].compactMap(\.self).joined(separator: ": ")
            self?.notifications.tell(
                subject, summary: tr("Parley can’t receive calls yet"), body: body, isLeft: false)
        }
        opening.onTroubleOver = { [weak self] in self?.notifications.takeBack(subject) }
        provider.askForPassphrase = { [weak self, weak opening] question in
            await opening?.waitForPassphrase { await self?.interface()?.dialogs.askForPassphrase(question) }
        }
        provider.makeRoom = { [weak self, id = profile.id] in await self?.sharing.makeRoom($0, for: id) ?? true }
        provider.onDevices = { [weak self, weak profile] in if let profile { self?.devices.chosen(in: profile) } }
    }

    private func turn() {
        onReachability()
        guard let interface = interface() else { return }
        interface.turn(to: shown.provider, shown.opening.overview)
        guard interface.hasMainWindow else { return }
        onTurn()
        shown.opening.windowOpened()
    }

    private func tell(_ sentence: String) {
        guard let interface = interface(), interface.hasMainWindow else {
            return notifications.tell("profiles", summary: tr("Profiles"), body: sentence)
        }
        interface.toast(sentence)
    }
}
