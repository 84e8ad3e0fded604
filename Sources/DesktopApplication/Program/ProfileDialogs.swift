import GLibKit
import Wording

/// The list of profiles as a window, and the question before one is removed.
@MainActor final class ProfileDialogs {
    private let open: OpenDialogs
    private let requests: ProfileRequests

    /// Opens them among these windows.
    init(_ open: OpenDialogs, _ requests: ProfileRequests) { (self.open, self.requests) = (open, requests) }

    /// Opens the list over a window.
    func show(over parent: Widget) {
        open.open(.profiles) {
            ProfilesDialog(over: parent, onNew: requests.make, onBring: requests.bring) { [weak self] wish, profile in
                self?.perform(wish, profile)
            }
        }
        profilesChanged()
    }

    /// The profiles are others, or stand otherwise.
    func profilesChanged() { (open[.profiles] as? ProfilesDialog)?.show(requests.rows()) }

    private func perform(_ wish: ProfilesDialog.Wish, _ profile: ProfileRow) {
        switch wish {
        case .show: requests.show(profile.id)
        case .close: requests.close(profile.id)
        case .remove: askToRemove(profile)
        }
    }

    private func askToRemove(_ profile: ProfileRow) {
        guard let parent = open[.profiles]?.window.root else { return }
        open.open(.question("profile \(profile.id)")) {
            Question.make(
                over: parent, heading: tr("Remove the profile %s?", profile.name),
                body: tr(
                    "Its contacts, messages, list of calls and keys are deleted on this computer, and nobody can reach you by it any more. This can’t be undone."
                ), yes: tr("Remove")
            ) { [requests] in
                requests.remove(profile.id)
            }
        }
    }
}
