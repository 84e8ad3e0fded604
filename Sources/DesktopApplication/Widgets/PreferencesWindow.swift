import CGtk
import DesktopSession
import GLibKit
import Wording

/// Devices, relays, servers for calls, notifications, the log of calls and the profile's key.
@MainActor final class PreferencesWindow: Dialog {
    /// What it needs of an account.
    typealias Provider = any RelayProvider & KeyProvider & CallServerProvider & DeviceProvider & RingProvider
        & CallLogProvider & GroupCallProvider & GroupServerProvider

    let window: DialogWindow
    private let root: Widget
    private let template = Template("preferences")
    private let provider: Provider
    private let servers: CallServersGroup
    private let devices: DevicesGroup
    private let sound: SoundProcessingGroup
    private let pictures: PicturesGroup
    private let ring: RingGroup
    private let reach: ReachGroup
    private let log: CallLogGroup
    private let groups: GroupCallsGroup
    private let groupServer: GroupServerGroup
    private let key: KeyGroup
    private let rows: ItemRows<RelayItem, Template>
    /// Shows how people reach the person.
    var onReach: @MainActor () -> Void = {}
    /// Shows what carries the profile to another machine.
    var onMove: @MainActor () -> Void = {}

    /// Makes the window, to lie over another; `callLevels` are those of the microphone in the present call.
    init(
        over parent: Widget, provider: Provider, settings: ProgramSettings = ProgramSettings(),
        autostart: Autostart? = nil,
        callLevels: @escaping DevicesGroup.Levels = { nil }
    ) {
        root = template.root
        self.provider = provider
        rows = ItemRows(template["relay_list"])
        let offerUndo: CallServersGroup.Offer = { [root = template.root] in UndoToast.show($0, in: root, onUndo: $1) }
        servers = CallServersGroup(template, provider: provider, offerUndo: offerUndo)
        groupServer = GroupServerGroup(template, provider: provider, offerUndo: offerUndo)
        let devices = DevicesGroup(provider: provider, callLevels: callLevels)
        self.devices = devices
        sound = SoundProcessingGroup(template, provider: provider) { [weak devices] in devices?.say($0) }
        pictures = PicturesGroup(template, provider: provider) { [weak devices] in devices?.say($0) }
        adw_preferences_group_add(template["devices_place"].pointer(), devices.root.pointer())
        ring = RingGroup(template, provider: provider)
        window = DialogWindow(root, over: parent)
        root.first(gtk_search_entry_get_type())?.setAccessibleLabel(tr("Search in the preferences"))
        log = CallLogGroup(template, provider: provider)
        groups = GroupCallsGroup(template, provider: provider)
        key = KeyGroup(template, provider: provider)
        reach = ReachGroup(template, settings: settings, autostart: autostart)
        template["relay_entry"].connect("changed") { [weak self] in self?.say("") }
        template["relay_entry"].connect("entry-activated") { [weak self] in self?.add() }
        template["add_button"].connect("clicked") { [weak self] in self?.add() }
        template["reach_button"].connect("clicked") { [weak self] in self?.onReach() }
        template["move_button"].connect("clicked") { [weak self] in self?.onMove() }
    }

    /// Media flow in a call from now on.
    func callBegan() { devices.callChanged() }

    /// Shows a choice as it is now.
    func show(_ flag: ProgramSettings.Flag) { reach.show(flag) }

    /// People reach the person in another way, which may bring other servers for calls.
    func reachChanged() { servers.serversChanged() }

    /// Shows these relays.
    func show(_ relays: [RelayItem]) {
        rows.show(relays, make: row) { row, relay in
            row.root.text = RelayPresentation.title(relay)
            row.root[property: "subtitle"] = RelayPresentation.subtitle(relay)
            gtk_widget_set_tooltip_text(row.root.pointer(), relay.address)
            row["remove_button"].isVisible = !relay.isEmbedded && relay.isChosen
            row["remove_button"].describe(tr("Remove the relay %s", relay.host))
        }
    }

    /// Shows where the key is kept.
    func show(_ key: KeyItem) { self.key.show(key) }

    private func row(_ id: RelayItem.ID) -> Template {
        let row = Template("relay-row")
        row["remove_button"].connect("clicked") { [weak self] in
            if let relay = self?.rows[id] { self?.remove(relay) }
        }
        return row
    }

    private func remove(_ relay: RelayItem) {
        run { [weak self] provider in
            let restore = try await provider.removeRelay(relay.address)
            guard let self else { return }
            UndoToast.show(tr("%s was removed.", relay.host), in: root) { [weak self] in
                self?.run { _ in try await restore() }
            }
        }
    }

    private func add() {
        let address = template["relay_entry"].text.trimmed
        guard !address.isEmpty else { return }
        run { [weak self] provider in
            try await provider.addRelay(address)
            self?.template["relay_entry"].text = ""
        }
    }

    private func run(_ body: @escaping @MainActor (any RelayProvider) async throws -> Void) {
        Task {
            do {
                try await body(provider)
            } catch {
                say(sentence(of: error))
            }
        }
    }

    private func say(_ sentence: String) {
        template["relay_error"].text = sentence
        template["relay_error"].isVisible = !sentence.isEmpty
    }
}
