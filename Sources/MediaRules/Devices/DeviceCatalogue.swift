/// Which devices there are, each once: merged from what all providers tell.
///
/// - A camera that V4L2 and PipeWire both have is V4L2's. Two records are the same camera when they name the same file.
/// - Microphones and loudspeakers are PulseAudio's, which PipeWire imitates, as soon as it has any, be it what only hears a loudspeaker:
///   only those can be exchanged while they play. Otherwise they are PipeWire's.
/// - What only hears a loudspeaker is no microphone.
/// - The standard device comes first, then they go by name.
/// - Devices of one name get numbers, in the order of their ids.
package struct DeviceCatalogue: Sendable, Equatable {
    /// A device and the record it is opened by.
    package struct Entry: Sendable, Equatable {
        package var device: MediaDevice
        /// The record's place in what was given.
        package var index: Int
    }

    private let entries: [DeviceKind: [Entry]]

    /// Merges records.
    package init(_ records: [DeviceRecord]) {
        let all = records.indices.filter { !records[$0].isMonitor }
        entries = Dictionary(
            uniqueKeysWithValues: DeviceKind.allCases.map { kind in
                let own = all.filter { records[$0].kind == kind }
                let kept = kind == .camera ? Self.cameras(own, of: records) : Self.sound(kind, own, of: records)
                return (kind, Self.named(kept, of: records))
            })
    }

    /// The devices of one kind.
    package subscript(kind: DeviceKind) -> [Entry] { entries[kind] ?? [] }

    /// All devices.
    package var devices: MediaDevices {
        var devices = MediaDevices()
        devices.cameras = self[.camera].map(\.device)
        devices.microphones = self[.microphone].map(\.device)
        devices.speakers = self[.speaker].map(\.device)
        return devices
    }

    private static func cameras(_ indices: [Int], of records: [DeviceRecord]) -> [Int] {
        let files = Set(indices.filter { records[$0].provider == .v4l2 }.compactMap { records[$0].path })
        return indices.filter { index in
            let record = records[index]
            return record.provider == .v4l2 || record.path.map { !files.contains($0) } ?? true
        }
    }

    private static func sound(_ kind: DeviceKind, _ indices: [Int], of records: [DeviceRecord]) -> [Int] {
        let hasPulse = records.contains { $0.kind == kind && $0.provider == .pulse }
        return indices.filter { records[$0].provider == (hasPulse ? .pulse : .pipeWire) }
    }

    /// Gives ids and names that occur once, and the order.
    private static func named(_ indices: [Int], of records: [DeviceRecord]) -> [Entry] {
        // Alike devices of one place are told apart by their file, so that the order of telling does not count.
        let ordered = indices.sorted {
            (records[$0].place, records[$0].path ?? "", $0) < (records[$1].place, records[$1].path ?? "", $1)
        }
        var (ids, names): (Set<String>, Set<String>) = ([], [])
        let entries = ordered.map { index in
            let record = records[index]
            return Entry(
                device: MediaDevice(
                    id: numbered(record.place, &ids, "#"),
                    name: numbered(record.name.isEmpty ? record.place : record.name, &names, " ")),
                index: index)
        }
        return entries.sorted {
            (records[$0.index].isDefault ? 0 : 1, $0.device.name) < (
                records[$1.index].isDefault ? 0 : 1, $1.device.name
            )
        }
    }

    /// The text, with the first number that makes it another than those before.
    private static func numbered(_ text: String, _ taken: inout Set<String>, _ separator: String) -> String {
        var (result, count) = (text, 1)
        while !taken.insert(result).inserted {
            count += 1
            result = "\(text)\(separator)\(count)"
        }
        return result
    }
}
