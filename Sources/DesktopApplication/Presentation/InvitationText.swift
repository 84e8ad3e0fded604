import Foundation
import Parley
import Wording

/// What is said of a link that nobody has opened yet.
enum InvitationText {
    /// For whom it is, when it was made and how far it reaches, each in a line.
    static func lines(
        _ contact: ContactItem, now: Date = Date(), calendar: Calendar = .current
    ) -> [String] {
        var lines: [String] = []
        if contact.isNamedHere { lines.append(tr("For: %s", contact.name)) }
        if let date = contact.invitedAt {
            lines.append(tr("Made: %s", ShortDate.text(date, now: now, calendar: calendar)))
        }
        if let link = contact.invitation { lines.append(reach(of: link)) }
        return lines
    }

    private static func reach(of link: String) -> String {
        switch RelayReach(link: link) {
        case .thisMachine: tr("It can be opened on this computer only.")
        case .thisNetwork: tr("It can be opened in the same network only.")
        case .everywhere, nil: tr("It can be opened from everywhere.")
        }
    }
}
