import CGtk
import GLibKit

/// Asks for the passphrase of the profile: once to open it, twice for a new one.
@MainActor final class PassphraseDialog {
    private let root: Widget
    private let template = Template("passphrase")
    private let isNew: Bool
    private var answer: CheckedContinuation<String?, Never>?

    /// Asks over a window; nil when the person gives up.
    static func ask(_ question: PassphraseQuestion, over parent: Widget) async -> String? {
        guard let dialog = PassphraseDialog(question, over: parent) else { return nil }
        let answer = await withCheckedContinuation { dialog.answer = $0 }
        withExtendedLifetime(dialog) {}
        return answer
    }

    private init?(_ question: PassphraseQuestion, over parent: Widget) {
        guard let dialog = adw_message_dialog_new(parent.pointer(), Self.heading(question), nil) else { return nil }
        root = Widget(retaining: UnsafeMutableRawPointer(dialog))
        isNew = question == .new
        root[property: "body"] =
            isNew ? tr("You will be asked for it at each start. Nobody can open the profile without it.") : ""
        template["error_label"].isVisible = question == .open(isRepeat: true)
        template["repeat_entry"].isVisible = isNew
        adw_message_dialog_set_extra_child(root.pointer(), template.root.pointer())
        adw_message_dialog_add_response(root.pointer(), "cancel", tr("Cancel"))
        adw_message_dialog_add_response(root.pointer(), "go-on", isNew ? tr("Set passphrase") : tr("Open"))
        adw_message_dialog_set_response_appearance(root.pointer(), "go-on", ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_default_response(root.pointer(), "go-on")
        adw_message_dialog_set_close_response(root.pointer(), "cancel")
        for entry in ["entry", "repeat_entry"] {
            template[entry].describePictureButtons(tr("Show the passphrase"))
            template[entry].connect("changed") { [weak self] in self?.check() }
            template[entry].connect("entry-activated") { [weak self] in self?.activate() }
        }
        root.connect("response") { [weak self] in self?.finish($0.get(0, as: String.self) == "go-on") }
        check()
        gtk_window_present(root.pointer())
    }

    private static func heading(_ question: PassphraseQuestion) -> String {
        question == .new ? tr("Choose a passphrase") : tr("Type your passphrase")
    }

    private var text: String { template["entry"].text }
    private var isComplete: Bool { !text.isEmpty && (!isNew || text == template["repeat_entry"].text) }

    private func check() {
        adw_message_dialog_set_response_enabled(root.pointer(), "go-on", isComplete ? 1 : 0)
    }

    private func activate() {
        if isComplete { adw_message_dialog_response(root.pointer(), "go-on") }
    }

    private func finish(_ goesOn: Bool) {
        answer?.resume(returning: goesOn ? text : nil)
        answer = nil
    }
}
