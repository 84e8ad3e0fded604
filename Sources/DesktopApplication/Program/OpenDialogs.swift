import GLibKit

/// The windows over the main one that are open now, each at most once. They stay open and keep what was typed whatever calls
/// do; each has the keys of the microphone and the camera while there is a call, and shows one that rings.
@MainActor final class OpenDialogs {
    /// What a window is about.
    enum Kind: Hashable {
        case addContact, link, scan, address, reach, nearby, preferences, about, shortcuts, help, passphrase, sharing,
            clearMedia, connection, addPeople, beforeCall
        case ownProfile, profiles, moveProfile, bringProfile
        case contact(ContactItem.ID)
        case securityCode(ContactItem.ID)
        /// The code of somebody in the call of several in front.
        case memberCode
        case invitation(ContactItem.ID)
        case messages(ContactItem.ID)
        case question(String)
        case callDetails(Int64)
    }

    private var dialogs: [Kind: any Dialog] = [:]
    private var call: (actions: CallActions?, ringing: ShownCall?) = (nil, nil)

    /// Shows a window, or brings the one there is to the front; says whether it is a new one.
    @discardableResult func open(_ kind: Kind, _ make: () -> any Dialog) -> Bool {
        if let dialog = dialogs[kind] {
            dialog.window.present()
            return false
        }
        let dialog = make()
        dialogs[kind] = dialog
        dialog.window.onClose = { [weak self] in self?.forget(kind) }
        show(call, on: dialog.window)
        dialog.window.present()
        return true
    }

    /// The window of this kind that is open, if it is one.
    subscript(kind: Kind) -> (any Dialog)? { dialogs[kind] }

    /// The contacts whose links are shown.
    var invitations: [ContactItem.ID] {
        dialogs.keys.compactMap { if case .invitation(let id) = $0 { id } else { nil } }
    }

    /// The contacts whose pages are open.
    var contactPages: [ContactItem.ID] {
        dialogs.keys.compactMap { if case .contact(let id) = $0 { id } else { nil } }
    }

    /// Closes a window, if it is open.
    func close(_ kind: Kind) { dialogs[kind]?.window.destroy() }

    /// Closes all.
    func closeAll() { for dialog in dialogs.values { dialog.window.close() } }

    /// Takes what can be done to the call in front, and one that rings; nil where there is none.
    func show(_ actions: CallActions?, ringing: ShownCall?) {
        call = (actions, ringing)
        for dialog in dialogs.values { show(call, on: dialog.window) }
    }

    private func forget(_ kind: Kind) {
        guard let dialog = dialogs.removeValue(forKey: kind) else { return }
        // libadwaita closes a window first and tells its answer then.
        Task { dialog.gone() }
    }

    private func show(_ call: (actions: CallActions?, ringing: ShownCall?), on window: DialogWindow) {
        let bar = window.ringingBar
        bar.show(call.ringing?.presentation, kind: call.ringing?.actions.session.kind ?? .audio)
        if let actions = call.actions {
            actions.insertSwitches(into: window.root)
        } else {
            ActionGroup.remove(CallActions.groupName, from: window.root)
        }
        if let ringing = call.ringing {
            ringing.actions.insert(into: bar.root)
        } else {
            ActionGroup.remove(CallActions.groupName, from: bar.root)
        }
    }
}
