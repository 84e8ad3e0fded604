import Foundation

/// Which of a PipeWire server's objects are devices that calls can use, from what its registry tells one after the other.
package struct PipeWireNodes: Sendable, Equatable {
    /// A node that is a device.
    package struct Node: Sendable, Equatable {
        package var record: DeviceRecord
        /// By what PipeWire's elements of GStreamer find it; no other node has it as long as the server lives.
        package var serial: String
    }

    /// The metadata object in which the session manager names the standard devices.
    package static let metadataName = "default"
    /// More nodes than that are not listed: any program may make some.
    package static let mostNodes = 256
    /// Longer texts of a node are not kept, in bytes.
    static let longestText = 1_024

    private static let keys: Set<String> = [
        "media.class", "node.name", "node.description", "node.nick", "object.serial", "device.class", "api.v4l2.path",
    ]
    private static let kindsByKey: [String: DeviceKind] = [
        "default.video.source": .camera, "default.audio.source": .microphone, "default.audio.sink": .speaker,
    ]

    private var nodes: [UInt32: Node] = [:]
    private var names: [DeviceKind: String] = [:]

    /// None.
    package init() {}

    /// Whether a node of this class is worth being asked about.
    package static func wants(mediaClass: String?) -> Bool { mediaClass.flatMap(DeviceRecord.kind(ofClass:)) != nil }

    /// A node has come, or has other properties than before. Gives whether something is new.
    package mutating func note(_ id: UInt32, _ properties: [String: String]) -> Bool {
        let kept = properties.filter { Self.keys.contains($0.key) && $0.value.utf8.count <= Self.longestText }
        guard let kind = kept["media.class"].flatMap(DeviceRecord.kind(ofClass:)), let serial = kept["object.serial"]
        else { return remove(id) }
        guard nodes[id] != nil || nodes.count < Self.mostNodes else { return false }
        let name = ["node.description", "node.nick", "node.name"].lazy.compactMap { kept[$0] }.first { !$0.isEmpty }
        let node = Node(
            record: DeviceRecord(kind: kind, provider: .pipeWire, name: name ?? "", properties: kept), serial: serial)
        defer { nodes[id] = node }
        return nodes[id] != node
    }

    /// An object has gone. Gives whether it was a device.
    package mutating func remove(_ id: UInt32) -> Bool { nodes.removeValue(forKey: id) != nil }

    /// What the session manager says of the standard devices, such as `{"name": "node"}` for `default.audio.sink`; without a key, all of
    /// it is void. Gives whether something is new.
    package mutating func noteDefault(_ key: String?, _ value: String?) -> Bool {
        let before = names
        if let key {
            guard let kind = Self.kindsByKey[key] else { return false }
            names[kind] = value.flatMap(Self.name)
        } else {
            names = [:]
        }
        return names != before
    }

    /// The devices, in the order in which they came.
    package var devices: [Node] {
        nodes.sorted { $0.key < $1.key }.map { _, node in
            var node = node
            node.record.isDefault = names[node.record.kind].map { $0 == node.record.properties["node.name"] } ?? false
            return node
        }
    }

    private static func name(_ json: String) -> String? {
        struct Named: Decodable { var name: String }
        guard json.utf8.count <= longestText else { return nil }
        return try? JSONDecoder().decode(Named.self, from: Data(json.utf8)).name
    }
}
