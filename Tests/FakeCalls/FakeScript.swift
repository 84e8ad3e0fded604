import DesktopApplication
import Signaling

/// How a pretended contact behaves.
enum FakeScript: String, CaseIterable {
    case answers, declines, callsBack, mutes, isOpen, isAway, isCutOff, isDamaged, shares, isSilent, isMuted, isPopular,
        fillsDisk, givesUp, holds, isElsewhere

    /// A picture of four pixels, red and blue.
    private static let picture = """
        data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAMAAABFaP0WAAAABlBMVEX/AAAAAP9sof2OAAAADklEQVR4nGNg\
        YGRgYAQAAAsAA1IpeI8AAAAASUVORK5CYII=
        """

    /// The contact that behaves so.
    var contact: ContactItem {
        let (name, condition): (String, ContactItem.Condition) =
            switch self {
            case .answers: ("Test call", .fine)
            case .declines: ("Dora Declines", .fine)
            case .callsBack: ("Cem Calls-Back", .fine)
            case .mutes: ("Mia Mutes", .fine)
            case .isOpen: ("Otto Old-Program", .fine)
            case .isAway: ("Not yet connected", .fine)
            case .isCutOff: ("Uma Unreachable", .relayUnreachable)
            case .isDamaged: ("Rosa Repair", .damaged)
            case .shares: ("Sven Shares", .fine)
            case .isSilent: ("Sia Silent", .fine)
            case .isMuted: ("Max Muted", .fine)
            case .isPopular: ("Paula Popular", .fine)
            case .fillsDisk: ("Fay Fills-Disk", .fine)
            case .givesUp: ("Gus Gives-Up", .fine)
            case .holds: ("Hilde Holds", .fine)
            case .isElsewhere: ("Ines In-a-Call", .fine)
            }
        var contact = ContactItem(
            id: rawValue, name: name, isTestCall: self == .answers, isConnected: self != .isAway, condition: condition)
        contact.ownName = name
        contact.takesGroupCalls = ![.answers, .isOpen].contains(self)
        if self == .callsBack {
            contact.shortDescription = "Calls whoever calls"
            contact.labels = [.own("Work")]
            contact.picture = try? ProfilePicture(parsing: Self.picture)
        }
        return contact
    }
}
