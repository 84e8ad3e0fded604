import GLibKit
import MediaRules
import Wording

/// What one can choose from for a camera, microphone or speaker, with what is chosen.
struct DevicePicker: Equatable {
    /// One line of the list.
    struct Entry: Equatable {
        /// The device; nil: the standard one, whichever that is.
        let device: MediaDevice?
        let title: String
    }

    /// The standard one first, then what is there, then what was chosen and is not there.
    let entries: [Entry]
    /// The place of what is chosen.
    let selected: Int
    /// Says that there is none; empty when there is one.
    let subtitle: String

    init(_ kind: DeviceKind, devices: [MediaDevice], chosen: MediaDevice?) {
        var entries = [Entry(device: nil, title: tr("System default"))]
        entries += devices.map { Entry(device: $0, title: $0.name) }
        var selected = 0
        if let chosen {
            // As in a call: its place may have another id today, but hardly another name.
            let match = devices.first { $0.id == chosen.id } ?? devices.first { $0.name == chosen.name }
            if let match {
                selected = entries.firstIndex { $0.device == match } ?? 0
            } else {
                entries.append(Entry(device: chosen, title: tr("%s (not connected)", chosen.name)))
                selected = entries.count - 1
            }
        }
        (self.entries, self.selected) = (entries, selected)
        subtitle = devices.isEmpty ? kind.missingSentence : ""
    }
}

extension DeviceKind {
    /// Says that there is none.
    fileprivate var missingSentence: String {
        switch self {
        case .camera: tr("No camera was found.")
        case .microphone: tr("No microphone was found.")
        case .speaker: tr("No speaker was found.")
        }
    }

    /// What a person is told of a microphone that gives no sound.
    static var silentMicrophone: String { tr("Your microphone gives no sound. Is it switched off?") }

    /// Its heading.
    var title: String {
        switch self {
        case .camera: tr("Camera")
        case .microphone: tr("Microphone")
        case .speaker: tr("Speaker")
        }
    }
}
