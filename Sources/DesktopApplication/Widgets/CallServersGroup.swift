import CGtk
import GLibKit
import Wording

/// The part of the preferences about servers for calls.
@MainActor final class CallServersGroup {
    private let template: Template
    private let provider: any CallServerProvider
    private let rows: ItemRows<CallServersItem.Server, ServerRow>
    private var isShowing = false

    /// Shows what was removed, and takes it back when it is told to.
    typealias Offer = @MainActor (String, @escaping @MainActor () -> Void) -> Void

    private let offerUndo: Offer

    /// Fills the widgets of the preferences' template.
    init(_ template: Template, provider: any CallServerProvider, offerUndo: @escaping Offer) {
        self.template = template
        self.provider = provider
        self.offerUndo = offerUndo
        rows = ItemRows(template["server_list"])
        template["server_entry"].connect("changed") { [weak self] in self?.say("") }
        template["server_add_button"].connect("clicked") { [weak self] in self?.add() }
        template["server_password_entry"].describePictureButtons(tr("Show the password"))
        template["relay_only_switch"].connect("notify::active") { [weak self] in
            self?.switched("relay_only_switch") { try await $0.setRelayOnly($1) }
        }
        template["ask_relays_switch"].connect("notify::active") { [weak self] in
            self?.switched("ask_relays_switch") { try await $0.setAsksRelays($1) }
        }
        Task { await refresh() }
    }

    /// The servers may be others than before.
    func serversChanged() { Task { await refresh() } }

    private func refresh() async {
        guard let item = await provider.callServers() else { return }
        rows.show(item.servers, make: row) { row, server in
            row.show(server.address, use: server.login.use)
        }
        template["server_list"].isVisible = !rows.isEmpty
        isShowing = true
        template["relay_only_switch"][property: "active"] = item.isRelayOnly
        template["ask_relays_switch"][property: "active"] = item.asksRelays
        isShowing = false
    }

    private func row(_ address: String) -> ServerRow {
        let row = ServerRow()
        row.onTest { [weak self] in
            if let server = self?.rows[address] { self?.test(server, in: row) }
        }
        row.onRemove { [weak self] in
            self?.run { provider in
                let restore = try await provider.removeCallServer(address)
                self?.offerUndo(tr("%s was removed.", address)) {
                    self?.run { _ in try await restore() }
                }
            }
        }
        return row
    }

    /// Asks a server; its row tells what became of it.
    private func test(_ server: CallServersItem.Server, in row: ServerRow) {
        row.showTest()
        Task {
            do {
                let answer = try await provider.testCallServer(server.address)
                row.endTest([answer?.sentence ?? server.login.use])
            } catch {
                row.endTest([sentence(of: error)])
            }
        }
    }

    private func add() {
        let address = template["server_entry"].text.trimmed
        guard !address.isEmpty else { return }
        let (name, password) = (template["server_user_entry"].text.trimmed, template["server_password_entry"].text)
        run { [weak self] provider in
            try await provider.addCallServer(address, name: name, password: password)
            for entry in ["server_entry", "server_user_entry", "server_password_entry"] {
                self?.template[entry].text = ""
            }
        }
    }

    private func switched(
        _ name: String, _ set: @escaping @MainActor (any CallServerProvider, Bool) async throws -> Void
    ) {
        guard !isShowing else { return }
        let isOn = template[name][property: "active"] ?? false
        run { try await set($0, isOn) }
    }

    private func run(_ body: @escaping @MainActor (any CallServerProvider) async throws -> Void) {
        Task {
            do {
                try await body(provider)
                say("")
            } catch {
                say(sentence(of: error))
            }
            await refresh()
        }
    }

    private func say(_ sentence: String) {
        template["server_error"].text = sentence
        template["server_error"].isVisible = !sentence.isEmpty
    }
}

extension CallServersItem.Login {
    /// What a server with this login does for calls.
    fileprivate var use: String {
        switch self {
        case .none: tr("Tells your public address")
        case .user(let name): tr("Relays calls for the user %s", name)
        case .secret: tr("Relays calls, by a shared secret")
        }
    }
}
