import Parley

extension RelayReach {
    /// Who can't open a link whose mailbox is on such a relay, and what to do; nil where everybody can, as far as is known.
    public var linkSentence: String? {
        switch self {
        case .thisMachine:
            tr(
                "Only this machine can open this link: its relay is at an address that leads nowhere else. Choose a relay that the others reach, too."
            )
        case .thisNetwork:
            tr(
                "Only who is in the same network as the relay can open this link. For others choose a relay that they reach, too."
            )
        case .everywhere: nil
        }
    }
}
