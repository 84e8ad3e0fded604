import ArgumentParser
import Media
import MediaRules
import Wording

/// `parley-cli devices`: the cameras, microphones and speakers of this machine.
struct ShowDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List cameras, microphones and speakers. Opens none; needs no profile.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let isJSON = output.isJSON
        let printer = EventPrinter(isJSON: isJSON)
        try await Session.untilInterrupted(printer) {
            let devices = try await DeviceMonitor.shared.devices()
            for line in DeviceLine.lines(devices) { printer.event("device", line.fields, sentence: line.sentence) }
            for kind in devices.missing where !isJSON {
                printer.event("missing", sentence: PlainLine(DeviceNotice.missing(kind).sentence))
            }
        }
    }
}

/// One device in a list.
struct DeviceLine: Equatable {
    var kind: DeviceKind
    var device: MediaDevice
    /// Whether it is used where none is named.
    var isDefault: Bool

    /// All of them, by kind.
    static func lines(_ devices: MediaDevices) -> [DeviceLine] {
        DeviceKind.allCases.flatMap { kind in
            devices[kind].enumerated().map { DeviceLine(kind: kind, device: $1, isDefault: $0 == 0) }
        }
    }

    var fields: EventPrinter.Fields {
        [
            "kind": .string(kind.rawValue), "id": .string(device.id), "name": .string(device.name),
            "default": .boolean(isDefault),
        ]
    }

    var sentence: PlainLine {
        "\(kind.rawValue)\(isDefault ? " (default)" : ""): \(device.name)\n    id: \(device.id)"
    }
}
