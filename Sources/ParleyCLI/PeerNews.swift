import Parley
import Wording

/// What is new about the peer's microphone and camera.
struct PeerNews {
    /// One event.
    struct Item: Equatable {
        var name: String
        var state: String
        var sentence: PlainLine
    }

    private var hasMicrophone = false
    private var hasCamera = false
    private var isPaused = false

    /// What has changed. Both are off until something of them arrives.
    mutating func update(_ state: CallState, contact: String) -> [Item] {
        update(
            microphone: state.peerMicrophone, camera: state.peerCamera, isPicturePaused: state.isPeerPicturePaused,
            contact: contact)
    }

    mutating func update(microphone: Bool, camera: Bool, isPicturePaused: Bool = false, contact: String) -> [Item] {
        var news: [Item] = []
        if microphone != hasMicrophone { news.append(Self.item("microphone", microphone, contact)) }
        if isPicturePaused, !isPaused {
            news.append(
                Item(
                    name: "peerCamera", state: "paused",
                    sentence: .tr("%s’s picture is paused: their connection is too slow for it.", contact)))
        } else if camera != hasCamera || isPaused && !isPicturePaused {
            news.append(Self.item("camera", camera, contact))
        }
        (hasMicrophone, hasCamera, isPaused) = (microphone, camera, isPicturePaused)
        return news
    }

    private static func item(_ device: String, _ isOn: Bool, _ contact: String) -> Item {
        let sentence: PlainLine =
            switch (device, isOn) {
            case ("camera", true): .tr("%s’s camera is on.", contact)
            case ("camera", false): .tr("%s’s camera is off.", contact)
            case (_, true): .tr("%s’s microphone is on.", contact)
            case (_, false): .tr("%s’s microphone is off.", contact)
            }
        return Item(
            name: device == "camera" ? "peerCamera" : "peerMicrophone", state: isOn ? "on" : "off", sentence: sentence)
    }
}
