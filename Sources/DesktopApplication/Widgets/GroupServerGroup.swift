import CGtk
import GLibKit
import Wording

/// The part of the preferences about the call server for calls of several.
@MainActor final class GroupServerGroup {
    private let template: Template
    private let provider: any GroupServerProvider
    private let rows: ItemRows<Shown, ServerRow>
    private let offerUndo: CallServersGroup.Offer
    private var isShowing = false
    private var testing: Task<Void, Never>?

    /// What its row says of the server.
    private struct Shown: Identifiable, Equatable {
        let address: String
        let use: String

        var id: String { address }
    }

    /// Fills the widgets of the preferences' template.
    init(_ template: Template, provider: any GroupServerProvider, offerUndo: @escaping CallServersGroup.Offer) {
        (self.template, self.provider, self.offerUndo) = (template, provider, offerUndo)
        rows = ItemRows(template["group_server_list"])
        for entry in ["group_server_entry", "group_server_key_entry", "group_server_secret_entry"] {
            template[entry].connect("changed") { [weak self] in self?.say("") }
            template[entry].connect("entry-activated") { [weak self] in self?.save() }
        }
        template["group_server_save_button"].connect("clicked") { [weak self] in self?.save() }
        template["group_server_key_entry"].describePictureButtons(tr("Show the key"))
        template["group_server_secret_entry"].describePictureButtons(tr("Show the token secret"))
        template["group_server_always_switch"].connect("notify::active") { [weak self] in self?.switched() }
        // Nobody looks any more: the test ends.
        template["group_server_list"].connect("unmap") { [weak self] in self?.stopTest() }
        Task { await refresh() }
    }

    isolated deinit { testing?.cancel() }

    private func refresh() async {
        let server = await provider.groupServer()
        rows.show(server.map { [Shown(address: $0.address, use: $0.use)] } ?? [], make: row) { row, shown in
            row.show(shown.address, use: shown.use)
        }
        template["group_server_list"].isVisible = !rows.isEmpty
        template["group_server_always_row"].isSensitive = server != nil
        isShowing = true
        template["group_server_always_switch"][property: "active"] = server?.isAlwaysUsed ?? false
        isShowing = false
    }

    private func row(_ address: String) -> ServerRow {
        let row = ServerRow()
        row.onTest { [weak self] in self?.test(address, in: row) }
        row.onRemove { [weak self] in
            self?.stopTest()
            self?.run { provider in
                let restore = try await provider.removeGroupServer()
                self?.offerUndo(tr("%s was removed.", address)) {
                    self?.run { _ in try await restore() }
                }
            }
        }
        return row
    }

    /// Tries the server; its row tells how far that came.
    private func test(_ address: String, in row: ServerRow) {
        stopTest()
        row.showTest()
        testing = Task { [weak self, provider] in
            var lines: [String] = []
            do {
                for try await step in try await provider.testGroupServer() {
                    lines.append(step.sentence)
                    if !Task.isCancelled { row.showTest(lines, doing: step.next) }
                }
                lines.append(tr("Calls of several can go over it."))
            } catch {
                lines.append(sentence(of: error))
            }
            let isOver = Task.isCancelled
            row.endTest(isOver ? [self?.rows[address]?.use ?? ""] : lines)
            if !isOver { self?.testing = nil }
        }
    }

    private func stopTest() {
        testing?.cancel()
        testing = nil
    }

    private func save() {
        let address = template["group_server_entry"].text.trimmed
        guard !address.isEmpty else { return }
        let (key, secret) = (template["group_server_key_entry"].text, template["group_server_secret_entry"].text)
        stopTest()
        run { [weak self] provider in
            try await provider.setGroupServer(address, roomKey: key, tokenSecret: secret)
            for entry in ["group_server_entry", "group_server_key_entry", "group_server_secret_entry"] {
                self?.template[entry].text = ""
            }
        }
    }

    private func switched() {
        guard !isShowing else { return }
        let isOn = template["group_server_always_switch"][property: "active"] ?? false
        run { try await $0.setGroupServerAlwaysUsed(isOn) }
    }

    private func run(_ body: @escaping @MainActor (any GroupServerProvider) async throws -> Void) {
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
        template["group_server_error"].text = sentence
        template["group_server_error"].isVisible = !sentence.isEmpty
    }
}

extension GroupServerItem {
    /// What it is used with.
    fileprivate var use: String {
        switch (hasRoomKey, hasTokenSecret) {
        case (true, true): tr("With a key for making rooms and a token secret")
        case (true, false): tr("With a key for making rooms")
        case (false, true): tr("With a token secret")
        case (false, false): tr("Without a key")
        }
    }
}
