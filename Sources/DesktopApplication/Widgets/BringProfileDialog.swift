import CGtk
import GLibKit
import Wording

/// Makes a profile of the file that another machine's Parley has written.
@MainActor final class BringProfileDialog: Dialog {
    let window: DialogWindow
    private let template = Template("bring-profile")
    private let provider: any MovingProvider
    private let onDone: @MainActor () -> Void
    private let work: ProfileWork
    private var file: PathEntry?

    /// Makes the window, to lie over another, with the file's path if that is known.
    init(over parent: Widget, provider: any MovingProvider, path: String, onDone: @escaping @MainActor () -> Void) {
        (self.provider, self.onDone) = (provider, onDone)
        window = DialogWindow(template.root, over: parent)
        work = ProfileWork(template)
        file = PathEntry(template["file_entry"], button: template["file_button"], kind: .profile)
        file?.text = path
        for name in ["file_entry", "entry"] {
            template[name].connect("changed") { [weak self] in self?.changed() }
            template[name].connect("entry-activated") { [weak self] in self?.begin() }
        }
        template["entry"].describePictureButtons(tr("Show the passphrase"))
        template["begin_button"].connect("clicked") { [weak self] in self?.begin() }
        work.onChange = { [weak self] in self?.show() }
        show()
    }

    /// The window has gone: what is not done is not done any more.
    func gone() { work.cancel() }

    private var canBegin: Bool { !work.isUnderWay && file?.text.isEmpty == false && !template["entry"].text.isEmpty }

    private func changed() {
        work.say("")
        show()
    }

    private func show() {
        template["begin_button"].isSensitive = canBegin
        for name in ["file_entry", "entry"] { template[name].isSensitive = !work.isUnderWay }
    }

    private func begin() {
        guard canBegin, let path = file?.text else { return }
        let passphrase = template["entry"].text
        work.begin { [provider] tell in
            try await provider.bringProfile(from: path, passphrase: passphrase, tell: tell)
        } onDone: { [weak self] in
            guard let self else { return }
            window.close()
            onDone()
        } onFailure: { [weak self] in
            guard let self else { return }
            gtk_widget_grab_focus(template["entry"].pointer())
        }
    }
}
