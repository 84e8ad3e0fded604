/// A device as GStreamer, the sound server or PipeWire describes it.
package struct DeviceRecord: Sendable, Equatable {
    /// Through which system the device is reached.
    package enum Provider: Sendable, Equatable {
        case v4l2, pulse, pipeWire
    }

    package var kind: DeviceKind
    package var provider: Provider
    /// The name for a person.
    package var name: String
    /// The provider's own name for the device; PulseAudio has one.
    package var internalName: String?
    /// The texts among its properties.
    package var properties: [String: String] = [:]
    /// Whether the person's desktop takes it by itself.
    package var isDefault = false

    /// A record.
    package init(
        kind: DeviceKind, provider: Provider, name: String, internalName: String? = nil,
        properties: [String: String] = [:], isDefault: Bool = false
    ) {
        (self.kind, self.provider, self.name) = (kind, provider, name)
        (self.internalName, self.properties, self.isDefault) = (internalName, properties, isDefault)
    }

    /// The kind of a class such as `Audio/Source/Virtual`; nil for what no call needs.
    package static func kind(ofClass text: String) -> DeviceKind? {
        let words = text.split(separator: "/")
        switch (words.first, words.dropFirst().first) {
        case ("Video", "Source"): return .camera
        case ("Audio", "Source"): return .microphone
        case ("Audio", "Sink"): return .speaker
        default: return nil
        }
    }

    /// Whether it only hears what a loudspeaker plays.
    var isMonitor: Bool {
        properties["device.class"] == "monitor" || internalName?.hasSuffix(".monitor") == true
            || name.hasPrefix("Monitor of ")
    }

    /// The device file of a camera; PipeWire and V4L2 know it both.
    package var path: String? { properties["api.v4l2.path"] ?? properties["device.path"] }

    /// Where it is plugged in, without the numbers that the kernel or PipeWire count up each time.
    package var place: String {
        switch provider {
        case .v4l2:
            let bus = properties["v4l2.device.bus_info"] ?? properties["device.bus_path"]
            let parts = ["v4l2", bus ?? path, properties["v4l2.device.card"] ?? name].compactMap { $0 }
            return parts.joined(separator: ":")
        case .pulse, .pipeWire:
            return internalName ?? properties["node.name"] ?? properties["device.name"] ?? path ?? name
        }
    }
}
