import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct DeviceCatalogueTests {
    private static func camera(
        _ provider: DeviceRecord.Provider, _ name: String, path: String? = nil, bus: String? = nil, node: String? = nil
    ) -> DeviceRecord {
        var properties: [String: String] = [:]
        properties[provider == .v4l2 ? "device.path" : "api.v4l2.path"] = path
        properties["v4l2.device.bus_info"] = bus
        properties["node.name"] = node
        return DeviceRecord(kind: .camera, provider: provider, name: name, properties: properties)
    }

    private static func sound(
        _ kind: DeviceKind, _ provider: DeviceRecord.Provider, _ id: String, _ name: String, isDefault: Bool = false
    ) -> DeviceRecord {
        DeviceRecord(
            kind: kind, provider: provider, name: name, internalName: provider == .pulse ? id : nil,
            properties: ["node.name": id], isDefault: isDefault)
    }

    @Test func `a camera that V4L2 and PipeWire both have is listed once, as V4L2's`() {
        let catalogue = DeviceCatalogue([
            Self.camera(.pipeWire, "Webcam (V4L2)", path: "/dev/video0", node: "v4l2_input.usb-1"),
            Self.camera(.v4l2, "Webcam", path: "/dev/video0", bus: "usb-1"),
            Self.camera(.pipeWire, "Phone", node: "phone"),
        ])
        #expect(catalogue[.camera].map(\.index) == [2, 1])
        #expect(catalogue.devices.cameras.map(\.name) == ["Phone", "Webcam"])
    }

    @Test func `a camera keeps its id whatever number its file gets`() {
        let before = DeviceCatalogue([Self.camera(.v4l2, "Webcam", path: "/dev/video0", bus: "usb-1")])
        let after = DeviceCatalogue([Self.camera(.v4l2, "Webcam", path: "/dev/video4", bus: "usb-1")])
        #expect(before.devices.cameras.map(\.id) == after.devices.cameras.map(\.id))
    }

    @Test func `sound devices are PulseAudio's when it has some, otherwise PipeWire's`() {
        let both = [
            Self.sound(.microphone, .pipeWire, "mic", "Microphone"),
            Self.sound(.microphone, .pulse, "mic", "Microphone"),
            Self.sound(.speaker, .pipeWire, "out", "Speaker"),
        ]
        let catalogue = DeviceCatalogue(both)
        #expect(catalogue[.microphone].map(\.index) == [1])
        #expect(catalogue[.speaker].map(\.index) == [2])
        // The id is the same in both systems, so that a choice outlives a change between them.
        #expect(catalogue[.microphone].map(\.device.id) == DeviceCatalogue([both[0]])[.microphone].map(\.device.id))
    }

    @Test func `a microphone that PulseAudio lacks is none, whatever PipeWire says`() {
        let records = [
            Self.sound(.speaker, .pulse, "dummy", "Dummy Output"),
            Self.sound(.microphone, .pulse, "dummy.monitor", "Monitor of Dummy Output"),
            Self.sound(.microphone, .pipeWire, "gone", "Microphone that has gone"),
        ]
        #expect(DeviceCatalogue(records).devices.microphones == [])
    }

    @Test func `what only hears a loudspeaker is no microphone`() {
        var tapped = Self.sound(.microphone, .pipeWire, "tap", "Tap")
        tapped.properties["device.class"] = "monitor"
        let catalogue = DeviceCatalogue([
            Self.sound(.microphone, .pulse, "out.monitor", "Speaker"), tapped,
            Self.sound(.microphone, .pulse, "x", "Monitor of Speaker"),
        ])
        #expect(catalogue.devices.microphones.isEmpty)
    }

    @Test func `the standard device comes first, the others by name`() {
        let catalogue = DeviceCatalogue([
            Self.sound(.speaker, .pulse, "c", "Cinema"), Self.sound(.speaker, .pulse, "b", "Zither", isDefault: true),
            Self.sound(.speaker, .pulse, "a", "Attic"),
        ])
        #expect(catalogue.devices.speakers.map(\.name) == ["Zither", "Attic", "Cinema"])
    }

    @Test func `devices of one name get numbers that do not depend on the order of telling`() {
        let records = [
            Self.camera(.v4l2, "Webcam", path: "/dev/video2", bus: "usb-2"),
            Self.camera(.v4l2, "Webcam", path: "/dev/video0", bus: "usb-1"),
        ]
        let (one, other) = (DeviceCatalogue(records), DeviceCatalogue(records.reversed()))
        #expect(one.devices == other.devices)
        #expect(one.devices.cameras.map(\.name) == ["Webcam", "Webcam 2"])
        #expect(one.devices.cameras.map(\.id) == ["v4l2:usb-1:Webcam", "v4l2:usb-2:Webcam"])
    }

    @Test func `a number that is part of another one's name is not given again`() {
        let catalogue = DeviceCatalogue(
            ["Webcam", "Webcam", "Webcam 2"].enumerated().map { number, name in
                Self.camera(.v4l2, name, path: "/dev/video\(number)", bus: "usb-\(number)")
            })
        #expect(Set(catalogue.devices.cameras.map(\.name)).count == 3)
    }

    @Test func `two cameras of one place and name have two ids`() {
        let catalogue = DeviceCatalogue([
            Self.camera(.v4l2, "Webcam", path: "/dev/video0", bus: "usb-1"),
            Self.camera(.v4l2, "Webcam", path: "/dev/video2", bus: "usb-1"),
        ])
        #expect(Set(catalogue.devices.cameras.map(\.id)).count == 2)
        #expect(Set(catalogue.devices.cameras.map(\.name)).count == 2)
    }

    @Test(
        arguments: [
            ("Audio/Source/Virtual", DeviceKind.microphone), ("Audio/Sink", .speaker), ("Video/Source", .camera),
            ("Stream/Output/Audio", nil), ("Video/Sink", nil), ("", nil),
        ] as [(String, DeviceKind?)])
    func `classes of other things are no devices`(_ text: String, _ kind: DeviceKind?) {
        #expect(DeviceRecord.kind(ofClass: text) == kind)
    }
}
