import CGtk
import GLibKit
import Wording

/// Asks for the passphrase of the profile: once to open it, twice for a new one.
@MainActor final class PassphraseDialog: Dialog {
    var window: DialogWindow { dialog.window }
    private let dialog: MessageDialog
    private let template = Template("passphrase")
    private let isNew: Bool

    /// Makes the question; `onAnswer` gets nil when the person gives up.
    init(_ question: PassphraseQuestion, over parent: Widget, onAnswer: @escaping @MainActor (String?) -> Void) {
        let isNew = question == .new
        self.isNew = isNew
        template["error_label"].isVisible = question == .open(isRepeat: true)
        template["repeat_entry"].isVisible = isNew
        let entry = template["entry"]
        dialog = MessageDialog(
            over: parent, heading: isNew ? tr("Choose a passphrase") : tr("Type your passphrase"),
            body: isNew ? tr("You will be asked for it at each start. Nobody can open the profile without it.") : "",
            child: template.root,
            responses: [
                .init(id: "cancel", label: tr("Cancel")),
                .init(id: "go-on", label: isNew ? tr("Set passphrase") : tr("Open"), style: .suggested),
            ], preferred: "go-on"
        ) { onAnswer($0 == "go-on" ? entry.text : nil) }
        for name in ["entry", "repeat_entry"] {
            template[name].describePictureButtons(tr("Show the passphrase"))
            template[name].connect("changed") { [weak self] in self?.check() }
        }
        check()
    }

    /// Somebody waits for the answer.
    func gone() { dialog.giveUp() }

    private func check() {
        let text = template["entry"].text
        dialog.setEnabled("go-on", !text.isEmpty && (!isNew || text == template["repeat_entry"].text))
    }
}
