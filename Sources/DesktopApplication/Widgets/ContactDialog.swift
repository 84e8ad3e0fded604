import CGtk
import Calling
import Foundation
import GLibKit
import Parley
import Signaling
import Wording

/// Everything about a contact: who they are, what is kept of them, calls, the way to them.
@MainActor final class ContactDialog: Dialog {
    let window: DialogWindow
    private let template = Template("contact-page")
    private let provider: any CallProvider
    private let avatar: Avatar
    private let onWish: @MainActor (ContactItem, ContactWish) -> Void
    private var contact: ContactItem
    private var code: String?
    /// The notes as they are kept; nil before they were read.
    private var note: String?
    private var isShowing = false

    /// How long notes may be.
    private static let longestNote = 4_000
    private static let recentCalls = 5

    /// Makes the window, to lie over another.
    init(
        over parent: Widget, contact: ContactItem, provider: any CallProvider,
        onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void, onAllCalls: @escaping @MainActor () -> Void
    ) {
        window = DialogWindow(template.root, over: parent)
        avatar = Avatar(template["avatar"])
        self.contact = contact
        self.provider = provider
        self.onWish = onWish
        let ask: @MainActor (ContactWish) -> Void = { [weak self] wish in if let self { onWish(self.contact, wish) } }
        template["audio_button"].connect("clicked") { ask(.call(.audio)) }
        template["video_button"].connect("clicked") { ask(.call(.video)) }
        template["new_link_button"].connect("clicked") { ask(.newLink) }
        template["messages_button"].connect("clicked") { ask(.messages) }
        template["block_button"].connect("clicked") { [weak self] in
            ask(self?.contact.isBlocked == true ? .unblock : .block)
        }
        template["remove_button"].connect("clicked") { [weak self] in
            ask(.remove)
            self?.window.close()
        }
        template["all_calls_button"].connect("clicked") { [weak self] in
            self?.window.close()
            onAllCalls()
        }
        template["name_entry"].connect("apply") { [weak self] in self?.rename() }
        template["labels_entry"].connect("apply") { [weak self] in self?.setLabels() }
        template["spam_switch"].connect("notify::active") { [weak self] in self?.setLabels() }
        template["compared_switch"].connect("notify::active") { [weak self] in self?.compare() }
        template["log_switch"].connect("notify::active") { [weak self] in self?.keepCalls() }
        template["own_name_button"].connect("clicked") { [weak self] in self?.goBackToOwnName() }
        let focus = Object(adopting: UnsafeMutableRawPointer(gtk_event_controller_focus_new()))
        focus.connect("leave") { [weak self] in self?.keepNote() }
        g_object_ref(focus.raw)  // the widget takes a reference over
        gtk_widget_add_controller(template["note_view"].pointer(), focus.pointer())
        template.root.connect("close-request", returning: Bool.self) { [weak self] _ in
            self?.keepNote()
            return false
        }
        show(contact)
        read()
    }

    /// Shows the contact as it is now.
    func show(_ contact: ContactItem) {
        self.contact = contact
        isShowing = true
        defer { isShowing = false }
        let shown = ContactPresentation(contact)
        avatar.show(name: contact.name, picture: contact.picture)
        gtk_window_set_title(template.root.pointer(), contact.name)
        template["name"].text = contact.name
        let others = [contact.ownName, contact.shortDescription].compactMap(\.self)
        let ownName = contact.ownName == contact.name ? nil : contact.ownName.map { tr("Calls themselves %s", $0) }
        template["own_name"].text = ownName ?? ""
        template["own_name"].isVisible = ownName != nil
        template["description"].text = contact.shortDescription ?? ""
        template["description"].isVisible = contact.shortDescription != nil && !others.isEmpty
        template["state"].text = shown.subtitle
        for button in ["audio_button", "video_button"] { template[button].isVisible = shown.canCall }
        template["audio_button"].describe(tr("Call %s", contact.name))
        template["video_button"].describe(tr("Video call with %s", contact.name))
        template["messages_button"].isVisible = shown.canWrite
        template["messages_button"].describe(tr("Messages with %s", contact.name))
        if !hasFocus("name_entry") { template["name_entry"].text = contact.name }
        template["name_entry"].isSensitive = !contact.isTestCall
        template["own_name_button"].isVisible = contact.isNamedHere
        template["spam_switch"][property: "active"] = contact.labels.contains(.suspectedSpam)
        if !hasFocus("labels_entry") { template["labels_entry"].text = Self.words(contact.labels) }
        template["compared_switch"][property: "active"] = contact.isCompared
        template["log_switch"][property: "active"] = contact.keepsCalls
        template["security_group"].isVisible = shown.canVerify
        template["block_button"].isVisible = shown.canBlock || shown.isBlocked
        template["block_button"].text = shown.isBlocked ? tr("Unblock") : tr("Block…")
        template["remove_button"].isVisible = shown.canRemove
        template["gone_bar"].isVisible = contact.condition == .gone
        template["new_link_button"].isVisible = shown.needsNewLink
    }

    private func hasFocus(_ entry: String) -> Bool {
        gtk_widget_get_state_flags(template[entry].pointer()).rawValue
            & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
    }

    private static func words(_ labels: [ContactLabel]) -> String {
        labels.compactMap { if case .own(let word) = $0 { word } else { nil } }.joined(separator: ", ")
    }

    // MARK: What is read

    private func read() {
        run { [contact] dialog, provider in
            let note = try await provider.note(on: contact)
            dialog.note = note
            gtk_text_buffer_set_text(dialog.buffer, note, -1)
            dialog.template["note_view"].isSensitive = true
        }
        run { [contact] dialog, provider in
            dialog.code = try await provider.securityCode(of: contact)
            dialog.template["code_row"][property: "subtitle"] = dialog.code ?? ""
        }
        run { [contact] dialog, provider in
            guard let connection = try await provider.connection(of: contact) else { return }
            dialog.show(connection)
        }
        run { [contact] dialog, provider in
            var filter = CallLogFilter()
            filter.contacts = [ContactID(rawValue: contact.id)]
            let pages = try await provider.callLog(filter, text: nil, limit: Self.recentCalls, before: .max)
            dialog.show(try await pages.next())
        }
    }

    private func show(_ connection: ConnectionItem) {
        let receiving = connection.receiving.joined(separator: ", ")
        add(tr("They reach you through"), receiving, to: "connection")
        if let sending = connection.sending { add(tr("You reach them through"), sending, to: "connection") }
        if connection.waiting > 0 {
            add(
                tr("Waiting to be sent"),
                tr("one message", plural: "%s messages", count: connection.waiting, connection.waiting),
                to: "connection")
        }
        template["connection_group"].isVisible = true
    }

    private func show(_ calls: [LoggedCall]) {
        for call in calls {
            let shown = CallLogPresentation(call, .init(contacts: [contact.id: contact]))
            let day = CallLogPresentation.heading(Date(timeIntervalSince1970: TimeInterval(call.record.startedAt)))
            let row = add(day, shown.subtitle, to: "calls")
            let icon = Widget(retaining: UnsafeMutableRawPointer(gtk_image_new_from_icon_name(shown.icon)))
            icon.setClass("error", shown.isMissed)
            adw_action_row_add_prefix(row.pointer(), icon.pointer())
        }
        template["calls_group"].isVisible = !calls.isEmpty
    }

    @discardableResult
    private func add(_ title: String, _ value: String, to list: String) -> Widget {
        let row = Widget(retaining: UnsafeMutableRawPointer(adw_action_row_new()))
        row[property: "use-markup"] = false
        row.text = title
        row[property: "subtitle"] = value
        row[property: "subtitle-lines"] = 0
        gtk_list_box_append(template[list].pointer(), row.pointer())
        return row
    }

    // MARK: What is changed

    private func rename() {
        let name = template["name_entry"].text
        guard name != contact.name else { return }
        run { [contact] _, provider in try await provider.rename(contact, to: name) }
    }

    private func goBackToOwnName() {
        gtk_widget_grab_focus(template["name_entry"].pointer())
        run { [contact] dialog, provider in
            try await provider.rename(contact, to: nil)
            gtk_widget_grab_focus(dialog.template["own_name"].pointer())
            dialog.template["name_entry"].text = contact.ownName ?? contact.name
        }
    }

    private func setLabels() {
        guard !isShowing else { return }
        let isSpam: Bool = template["spam_switch"][property: "active"] ?? false
        let words = template["labels_entry"].text.split(separator: ",").compactMap { ContactLabel(typed: String($0)) }
        let labels = (isSpam ? [.suspectedSpam] : []) + words
        guard labels != contact.labels else { return }
        run { [contact] _, provider in try await provider.setLabels(labels, of: contact) }
    }

    private func compare() {
        guard !isShowing, let code else { return }
        let isCompared: Bool = template["compared_switch"][property: "active"] ?? false
        guard isCompared != contact.isCompared else { return }
        run { [contact] _, provider in try await provider.setCompared(isCompared ? code : nil, of: contact) }
    }

    private func keepCalls() {
        guard !isShowing else { return }
        let keeps: Bool = template["log_switch"][property: "active"] ?? true
        if keeps != contact.keepsCalls { onWish(contact, .keepCalls(keeps)) }
    }

    /// Keeps what was written, once the person has left it.
    private func keepNote() {
        guard let note else { return }
        let text = noteText
        guard text != note else { return }
        guard text.count <= Self.longestNote else { return say(AccountError.textTooLong(Self.longestNote).sentence) }
        self.note = text
        // Also when the window goes.
        Task { [contact, provider, weak self] in
            do {
                try await provider.setNote(text, on: contact)
            } catch {
                self?.say(sentence(of: error))
            }
        }
    }

    private var buffer: UnsafeMutablePointer<GtkTextBuffer>? {
        gtk_text_view_get_buffer(template["note_view"].pointer())
    }

    private var noteText: String {
        buffer.flatMap { buffer in
            let object = Object(retaining: UnsafeMutableRawPointer(buffer))
            return object[property: "text"]
        } ?? ""
    }

    private func run(_ body: @escaping @MainActor (ContactDialog, any CallProvider) async throws -> Void) {
        say("")
        Task { [weak self] in
            guard let self else { return }
            do {
                try await body(self, provider)
            } catch {
                say(sentence(of: error))
                show(contact)
            }
        }
    }

    private func say(_ sentence: String) {
        template["error"].text = sentence
        template["error"].isVisible = !sentence.isEmpty
    }
}
