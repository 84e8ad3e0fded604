import CGtk
import GLibKit
import Parley
import Wording

/// The messages with one contact, and an entry to write another. It can stand in any window: it begins to listen when it is made and
/// stops when it goes.
@MainActor final class MessageView {
    /// The widget.
    let root: Widget
    private let template = Template("message-view")
    private let provider: any MessageProvider
    private let contact: ContactItem
    private let adjustment: Object?
    private var rows: [(row: MessageRow, widget: Widget)] = []
    private var following: Task<Void, Never>?
    private var watched: SignalConnection?
    private var sticksToEnd = true
    private var isSending = false
    private var error: String?
    private var unseen = false

    /// Shows the messages with a contact.
    init(_ provider: any MessageProvider, contact: ContactItem) {
        self.provider = provider
        self.contact = contact
        root = template.root
        adjustment = gtk_scrolled_window_get_vadjustment(template["scroller"].pointer())
            .map { Object(retaining: UnsafeMutableRawPointer($0)) }
        template["writing"].isVisible = contact.isConnected && !contact.isBlocked
        template["empty_page"][property: "description"] =
            contact.isConnected ? tr("What you write to each other is encrypted end to end.") : ""
        adjustment?.connect("changed") { [weak self] in self?.scroll() }
        adjustment?.connect("value-changed") { [weak self] in self?.scrolled() }
        template["entry"].connect("changed") { [weak self] in self?.edited() }
        template["entry"].connect("activate") { [weak self] in self?.send() }
        template["send_button"].connect("clicked") { [weak self] in self?.send() }
        root.connect("map") { [weak self] in self?.mapped() }
        follow()
    }

    isolated deinit {
        following?.cancel()
        watched?.disconnect()
    }

    /// Lets the person write at once.
    func focusEntry() { gtk_widget_grab_focus(template["entry"].pointer()) }

    private func follow() {
        guard let messages = try? provider.messages(with: contact) else { return }
        following = Task { [weak self] in
            for await list in messages { self?.show(list) }
        }
    }

    private func show(_ messages: [TextMessage]) {
        show(MessageRow.rows(messages, with: contact.name))
        unseen = true
        seen()
    }

    /// Replaces what has changed; rows that stay keep what is selected in them.
    private func show(_ new: [MessageRow]) {
        let list = template["list"]
        let same = zip(rows, new).prefix { $0.row == $1 }.count
        // Old messages go at the beginning.
        let gone = same == 0 ? rows.firstIndex { $0.row == new.first } ?? 0 : 0
        if gone > 0 {
            keepFocus(outside: rows.prefix(gone).map(\.widget))
            for row in rows.prefix(gone) { gtk_list_box_remove(list.pointer(), row.widget.pointer()) }
            rows.removeFirst(gone)
            return show(new)
        }
        keepFocus(outside: rows[same...].map(\.widget))
        for row in rows[same...] { gtk_list_box_remove(list.pointer(), row.widget.pointer()) }
        rows.removeLast(rows.count - same)
        for row in new[same...] {
            let widget = Self.widget(of: row)
            gtk_list_box_append(list.pointer(), widget.pointer())
            rows.append((row, widget))
        }
        if new.isEmpty {
            keepFocus(outside: [template["scroller"]])
        } else {
            keepFocus(outside: [template["empty_page"]])
        }
        template["scroller"].isVisible = !new.isEmpty
        template["empty_page"].isVisible = new.isEmpty
    }

    /// Puts the focus into the entry when it is in something that goes: GTK would look for another place in the list, and scroll there.
    private func keepFocus(outside leaving: [Widget]) {
        guard let root = gtk_widget_get_root(root.pointer()), let focus = gtk_root_get_focus(root) else { return }
        let isLeaving = leaving.contains {
            focus == $0.pointer() || gtk_widget_is_ancestor(focus, $0.pointer()) != 0
        }
        if isLeaving { focusEntry() }
    }

    private static func widget(of row: MessageRow) -> Widget {
        switch row {
        case .day(let heading):
            let label = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new(heading)))
            for name in ["caption-heading", "dim-label"] { label.setClass(name, true) }
            label[property: "margin-top"] = 12
            label[property: "margin-bottom"] = 6
            let row = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_row_new()))
            gtk_list_box_row_set_child(row.pointer(), label.pointer())
            gtk_list_box_row_set_activatable(row.pointer(), 0)
            gtk_widget_set_focusable(row.pointer(), 0)
            return row
        case .message(let message):
            let template = Template("message-row")
            template["text"].text = message.text ?? ""
            template["text"].isVisible = message.text != nil
            template["attachment"].text = message.attachment ?? ""
            template["attachment"].isVisible = message.attachment != nil
            template["detail"].text = message.detail
            template["detail"].setClass("error", message.isFailed)
            template["bubble"].setClass("own", message.isOwn)
            gtk_widget_set_halign(template["bubble"].pointer(), message.isOwn ? GTK_ALIGN_END : GTK_ALIGN_START)
            template.root.setAccessibleLabel(message.sentence)
            return template.root
        }
    }

    // MARK: What is seen

    private func scroll() {
        guard sticksToEnd, let adjustment else { return }
        let end = gtk_adjustment_get_upper(adjustment.pointer()) - gtk_adjustment_get_page_size(adjustment.pointer())
        gtk_adjustment_set_value(adjustment.pointer(), end)
    }

    private func scrolled() {
        guard let adjustment else { return }
        let rest =
            gtk_adjustment_get_upper(adjustment.pointer()) - gtk_adjustment_get_page_size(adjustment.pointer())
            - gtk_adjustment_get_value(adjustment.pointer())
        sticksToEnd = rest < 40
    }

    private func mapped() {
        watched?.disconnect()
        watched = window?.connect("notify::is-active") { [weak self] in self?.seen() }
        if let root = gtk_widget_get_root(root.pointer()), gtk_root_get_focus(root) == nil { focusEntry() }
        seen()
    }

    private var window: Object? {
        gtk_widget_get_root(root.pointer()).map { Object(retaining: UnsafeMutableRawPointer($0)) }
    }

    /// What is shown in the window that the person has before them has been read.
    private func seen() {
        guard unseen, gtk_widget_get_mapped(root.pointer()) != 0, let window,
            gtk_window_is_active(window.pointer()) != 0
        else { return }
        unseen = false
        Task { [provider, contact] in try? await provider.markRead(contact) }
    }

    // MARK: Writing

    private func edited() {
        error = nil
        showDraft()
    }

    private func showDraft() {
        let draft = MessageDraft(template["entry"].text)
        template["send_button"].isSensitive = draft.canSend && !isSending
        template["hint"].text = error ?? draft.hint ?? ""
        template["hint"].isVisible = error != nil || draft.hint != nil
        template["hint"].setClass("error", error != nil || draft.isTooLong)
    }

    private func send() {
        let text = template["entry"].text
        guard !isSending, MessageDraft(text).canSend else { return }
        isSending = true
        sticksToEnd = true
        showDraft()
        Task { [weak self, provider, contact] in
            var problem: String?
            do { try await provider.send(text, to: contact) } catch { problem = sentence(of: error) }
            self?.sent(text, problem)
        }
    }

    private func sent(_ text: String, _ problem: String?) {
        isSending = false
        // What was typed meanwhile stays.
        if problem == nil, template["entry"].text == text { template["entry"].text = "" }
        error = problem
        showDraft()
    }
}
