import GLibKit

/// The windows over the main one that are open now, each at most once. They stay open and keep what was typed whatever calls
/// do; each has the keys of the microphone and the camera while there is a call, and shows one that rings.
@MainActor final class OpenDialogs {
    /// What a window is about.
    enum Kind: Hashable {
        case addContact, address, preferences, about, shortcuts, passphrase, sharing, clearMedia
        case securityCode(ContactItem.ID)
        case invitation(ContactItem.ID)
        case question(String)
        case callDetails(Int64)
    }

    private var dialogs: [Kind: any Dialog] = [:]
    private var call: (actions: CallActions, ringing: CallPresentation?)?

    /// Shows a window, or brings the one there is to the front.
    func open(_ kind: Kind, _ make: () -> any Dialog) {
        if let dialog = dialogs[kind] { return dialog.window.present() }
        let dialog = make()
        dialogs[kind] = dialog
        dialog.window.onClose = { [weak self] in self?.forget(kind) }
        show(call, on: dialog.window)
        dialog.window.present()
    }

    /// The window of this kind that is open, if it is one.
    subscript(kind: Kind) -> (any Dialog)? { dialogs[kind] }

    /// The contacts whose links are shown.
    var invitations: [ContactItem.ID] {
        dialogs.keys.compactMap { if case .invitation(let id) = $0 { id } else { nil } }
    }

    /// Closes a window, if it is open.
    func close(_ kind: Kind) { dialogs[kind]?.window.destroy() }

    /// Closes all.
    func closeAll() { for dialog in dialogs.values { dialog.window.close() } }

    /// Takes what can be done to the call there is, and how one that rings looks; nil without a call.
    func show(_ actions: CallActions?, ringing: CallPresentation?) {
        call = actions.map { ($0, ringing) }
        for dialog in dialogs.values { show(call, on: dialog.window) }
    }

    private func forget(_ kind: Kind) {
        guard let dialog = dialogs.removeValue(forKey: kind) else { return }
        // libadwaita closes a window first and tells its answer then.
        Task { dialog.gone() }
    }

    private func show(_ call: (actions: CallActions, ringing: CallPresentation?)?, on window: DialogWindow) {
        window.ringingBar.show(call?.ringing, kind: call?.actions.session.kind ?? .audio)
        if let call {
            call.actions.insertSwitches(into: window.root)
            call.actions.insert(into: window.ringingBar.root)
        } else {
            for widget in [window.root, window.ringingBar.root] {
                ActionGroup.remove(CallActions.groupName, from: widget)
            }
        }
    }
}
