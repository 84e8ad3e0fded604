import CGtk
import GLibKit

/// One contact: avatar, name, state, and a button for each kind of call.
@MainActor final class ContactRow {
    /// The row for the list.
    let root: Widget
    /// The contact shown.
    private(set) var contact: ContactItem
    private let avatar: Widget
    private let waiting: Widget
    private let audioButton: Widget
    private let videoButton: Widget

    /// Makes the row; `onCall` is told which call the person wants.
    init(_ contact: ContactItem, onCall: @escaping @MainActor (ContactItem, CallKind) -> Void) {
        let template = Template("contact-row")
        root = template.root
        avatar = template["avatar"]
        waiting = template["waiting"]
        audioButton = template["audio_button"]
        videoButton = template["video_button"]
        self.contact = contact
        audioButton.connect("clicked") { [weak self] in if let self { onCall(self.contact, .audio) } }
        videoButton.connect("clicked") { [weak self] in if let self { onCall(self.contact, .video) } }
        show(contact)
    }

    /// Shows the contact as it is now.
    func show(_ contact: ContactItem) {
        self.contact = contact
        root.text = contact.name
        root[property: "subtitle"] = Self.subtitle(contact)
        avatar.text = contact.name
        waiting.isVisible = !contact.isConnected
        audioButton.isVisible = contact.isConnected
        videoButton.isVisible = contact.isConnected
        audioButton.describe(tr("Call %s", naming: contact.name))
        videoButton.describe(tr("Video call with %s", naming: contact.name))
    }

    private static func subtitle(_ contact: ContactItem) -> String {
        if !contact.isConnected { return tr("Connecting…") }
        return contact.isTestCall ? tr("Answers every call and sends back what it sees and hears") : tr("Connected")
    }
}
