import MediaRules
import Parley
import Wording

/// What is new about the screens of a call: the peer's and the own.
struct ScreenNews {
    /// One event.
    struct Item: Equatable {
        var name: String
        var state: String
        var sentence: String?
    }

    private var isPeerSharing = false
    private var sharing = ScreenSharing.off

    /// What has changed.
    mutating func update(_ state: CallState, contact: String) -> [Item] {
        update(peer: state.peerScreen, own: state.screenSharing, contact: contact)
    }

    mutating func update(peer: Bool, own: ScreenSharing, contact: String) -> [Item] {
        var news: [Item] = []
        if peer != isPeerSharing {
            news.append(
                Item(
                    name: "peerScreen", state: peer ? "on" : "off",
                    sentence: peer
                        ? tr("%s shares their screen.", contact) : tr("%s stopped sharing their screen.", contact)))
        }
        if own != sharing { news.append(Self.item(own)) }
        (isPeerSharing, sharing) = (peer, own)
        return news
    }

    private static func item(_ sharing: ScreenSharing) -> Item {
        switch sharing {
        case .off: Item(name: "screen", state: "off", sentence: tr("Your screen is not shared."))
        case .starting: Item(name: "screen", state: "starting", sentence: nil)
        case .on(withSound: false): Item(name: "screen", state: "on", sentence: tr("Your screen is shared."))
        case .on(withSound: true):
            Item(name: "screen", state: "onWithSound", sentence: tr("Your screen is shared, with sound."))
        }
    }
}
