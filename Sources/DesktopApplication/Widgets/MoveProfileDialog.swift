import CGtk
import GLibKit
import Wording

/// Carries the profile into a file for another machine: where to, and under which passphrase.
@MainActor final class MoveProfileDialog: Dialog {
    let window: DialogWindow
    private let template = Template("move-profile")
    private let provider: any MovingProvider
    private let work: ProfileWork
    private var file: PathEntry?

    /// Makes the window, to lie over another. Nothing is closed before the button is pressed.
    init(over parent: Widget, provider: any MovingProvider) {
        self.provider = provider
        window = DialogWindow(template.root, over: parent)
        work = ProfileWork(template)
        file = PathEntry(template["file_entry"], button: template["file_button"], kind: .newProfile)
        file?.text = Self.usualPath
        for name in ["file_entry", "entry", "repeat_entry"] {
            template[name].connect("changed") { [weak self] in self?.changed() }
            template[name].connect("entry-activated") { [weak self] in self?.begin() }
        }
        for name in ["entry", "repeat_entry"] { template[name].describePictureButtons(tr("Show the passphrase")) }
        template["begin_button"].connect("clicked") { [weak self] in self?.begin() }
        work.onChange = { [weak self] in self?.show() }
        show()
    }

    /// The window has gone: what is not done is not done any more.
    func gone() { work.cancel() }

    private var canBegin: Bool {
        let passphrase = template["entry"].text
        return !work.isUnderWay && file?.text.isEmpty == false && !passphrase.isEmpty
            && passphrase == template["repeat_entry"].text
    }

    private func changed() {
        work.say("")
        show()
    }

    private func show() {
        template["begin_button"].isSensitive = canBegin
        for name in ["file_entry", "entry", "repeat_entry"] { template[name].isSensitive = !work.isUnderWay }
        let (first, second) = (template["entry"].text, template["repeat_entry"].text)
        template["repeat_entry"].setClass("error", !second.isEmpty && first != second)
    }

    private func begin() {
        guard canBegin, let path = file?.text else { return }
        let passphrase = template["entry"].text
        work.begin { [provider] tell in
            try await provider.moveProfile(to: path, passphrase: passphrase, tell: tell)
        } onDone: { [weak self] in
            self?.window.close()
        }
    }

    /// In the folder of documents, or at home, under a name that is free.
    private static var usualPath: String {
        let documents = g_get_user_special_dir(G_USER_DIRECTORY_DOCUMENTS).map { String(cString: $0) }
        let folder = documents ?? String(cString: g_get_home_dir())
        for number in 1...99 {
            let path = folder + "/" + (number == 1 ? "Parley.profile" : "Parley \(number).profile")
            if g_file_test(path, G_FILE_TEST_EXISTS) == 0 { return path }
        }
        return ""
    }
}
