import Media
import MediaRules
import Parley
import Wording

/// What is new about the devices of a call.
struct DeviceNews {
    /// One event.
    struct Item: Equatable {
        var name: String
        var fields: EventPrinter.Fields
        var sentence: String?
    }

    private var devices = DevicesInUse()
    private var isSilent = false
    private var isMuted = false

    /// What has changed.
    mutating func update(_ state: CallState) -> [Item] {
        update(
            devices: state.devices, isMicrophoneSilent: state.isMicrophoneSilent,
            isMicrophoneMutedBySystem: state.isMicrophoneMutedBySystem)
    }

    mutating func update(
        devices: DevicesInUse, isMicrophoneSilent: Bool, isMicrophoneMutedBySystem isMutedNow: Bool = false
    ) -> [Item] {
        var news: [Item] = []
        for kind in DeviceKind.allCases where devices[kind] != self.devices[kind] {
            var fields: EventPrinter.Fields = ["kind": .string(kind.rawValue)]
            if let device = devices[kind] {
                (fields["id"], fields["name"]) = (.string(device.id), .string(device.name))
            }
            news.append(Item(name: "device", fields: fields, sentence: Self.sentence(kind, devices[kind])))
        }
        if isMutedNow != isMuted {
            news.append(
                Item(
                    name: "systemMute", fields: ["state": isMutedNow ? "on" : "off"],
                    sentence: isMutedNow
                        ? tr("The system has muted the microphone.") : tr("The system has unmuted the microphone.")))
        }
        if isMicrophoneSilent != isSilent {
            news.append(
                Item(
                    name: "microphone", fields: ["state": isMicrophoneSilent ? "silent" : "heard"],
                    sentence: isMicrophoneSilent
                        ? tr("Your microphone gives no sound; it may be switched off at the device or in the system.")
                        : tr("Your microphone gives sound.")))
        }
        (self.devices, isSilent, isMuted) = (devices, isMicrophoneSilent, isMutedNow)
        return news
    }

    /// That one is gone, a notice says better.
    private static func sentence(_ kind: DeviceKind, _ device: MediaDevice?) -> String? {
        guard let device else { return nil }
        return switch kind {
        case .camera: tr("The camera is “%s”.", device.name)
        case .microphone: tr("The microphone is “%s”.", device.name)
        case .speaker: tr("The speaker is “%s”.", device.name)
        }
    }
}
