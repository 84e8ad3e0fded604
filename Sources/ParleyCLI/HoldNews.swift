import Calling
import Parley
import Wording

/// What is new about a call on hold, here or there, and about one that waits behind another call of whoever is called.
struct HoldNews {
    private var hold = CallHold()
    private var isWaitingAtPeer = false

    /// What has changed.
    mutating func update(_ state: CallState, contact: String) -> [PeerNews.Item] {
        update(state.hold, isWaitingAtPeer: state.isWaitingAtPeer, contact: contact)
    }

    mutating func update(_ hold: CallHold, isWaitingAtPeer: Bool, contact: String) -> [PeerNews.Item] {
        var news: [PeerNews.Item] = []
        if hold.isHeldHere != self.hold.isHeldHere {
            news.append(
                Self.item(
                    "hold", hold.isHeldHere, hold.isHeldHere ? .tr("The call is on hold.") : .tr("The call goes on.")))
        }
        if hold.isHeldByPeer != self.hold.isHeldByPeer {
            news.append(
                Self.item(
                    "peerHold", hold.isHeldByPeer,
                    hold.isHeldByPeer ? .tr("%s has put you on hold.", contact) : .tr("%s is back.", contact)))
        }
        if isWaitingAtPeer != self.isWaitingAtPeer {
            news.append(
                Self.item(
                    "peerElsewhere", isWaitingAtPeer,
                    isWaitingAtPeer
                        ? .tr("%s is in another call, and told that you call.", contact)
                        : .tr("%s is in no other call any more.", contact)))
        }
        (self.hold, self.isWaitingAtPeer) = (hold, isWaitingAtPeer)
        return news
    }

    private static func item(_ name: String, _ isOn: Bool, _ sentence: PlainLine) -> PeerNews.Item {
        PeerNews.Item(name: name, state: isOn ? "on" : "off", sentence: sentence)
    }
}
