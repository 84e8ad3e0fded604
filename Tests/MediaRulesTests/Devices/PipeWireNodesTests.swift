import Cryptography
import TestSupport
import Testing

@testable import MediaRules

/// The machine, told within an expectation.
private final class ToldNodes {
    private var nodes = PipeWireNodes()

    func note(_ id: UInt32, _ properties: [String: String]) -> Bool { nodes.note(id, properties) }

    func remove(_ id: UInt32) -> Bool { nodes.remove(id) }

    func noteDefault(_ key: String?, _ value: String?) -> Bool { nodes.noteDefault(key, value) }

    var devices: [PipeWireNodes.Node] { nodes.devices }
}

@Suite(.timeLimit(.minutes(5))) struct PipeWireNodesTests {
    private static func camera(_ name: String, serial: String = "31") -> [String: String] {
        ["media.class": "Video/Source", "node.name": name, "node.description": "The \(name)", "object.serial": serial]
    }

    @Test func `a camera, a microphone and a loudspeaker are devices, streams and what only passes on are none`() {
        let classes = [
            "Video/Source": DeviceKind.camera, "Audio/Source": .microphone, "Audio/Source/Virtual": .microphone,
            "Audio/Sink": .speaker, "Stream/Output/Audio": nil, "Stream/Input/Video": nil, "Video/Sink": nil,
            "Audio/Duplex": nil, "Midi/Bridge": nil, "": nil,
        ]
        for (name, kind) in classes {
            let nodes = ToldNodes()
            #expect(PipeWireNodes.wants(mediaClass: name) == (kind != nil))
            #expect(nodes.note(7, ["media.class": name, "object.serial": "3"]) == (kind != nil))
            #expect(nodes.devices.map(\.record.kind) == [kind].compactMap { $0 })
        }
    }

    @Test func `it is opened by its serial, known by its name and shown by its description`() throws {
        let nodes = ToldNodes()
        #expect(nodes.note(40, Self.camera("front-camera", serial: "1234")))
        let node = try #require(nodes.devices.first)
        #expect(node.serial == "1234")
        #expect(node.record.name == "The front-camera")
        #expect(node.record.place == "front-camera")
        #expect(node.record.provider == .pipeWire)
    }

    @Test(arguments: [
        (["node.nick": "Nick", "node.name": "name"], "Nick"), (["node.name": "name"], "name"),
        (["node.description": "", "node.name": "name"], "name"), ([:], ""),
    ])
    func `one without a description is shown by what it has`(texts: [String: String], name: String) {
        let nodes = ToldNodes()
        _ = nodes.note(1, texts.merging(["media.class": "Audio/Sink", "object.serial": "2"]) { $1 })
        #expect(nodes.devices.map(\.record.name) == [name])
    }

    @Test func `a node without a serial can't be opened and is no device, also when it had one`() {
        let nodes = ToldNodes()
        _ = nodes.note(1, Self.camera("a"))
        var without = Self.camera("a")
        without["object.serial"] = nil
        #expect(nodes.note(1, without))
        #expect(nodes.devices.isEmpty)
    }

    @Test func `the same again is no news, another name is`() {
        let nodes = ToldNodes()
        #expect(nodes.note(1, Self.camera("a")))
        #expect(!nodes.note(1, Self.camera("a")))
        #expect(nodes.note(1, Self.camera("b")))
        #expect(!nodes.remove(2))
        #expect(nodes.remove(1))
        #expect(!nodes.remove(1))
    }

    @Test func `the session manager's standard is marked, each kind by itself, whatever comes first`() {
        let nodes = ToldNodes()
        #expect(nodes.noteDefault("default.video.source", #"{"name":"b"}"#))
        _ = nodes.note(1, Self.camera("a"))
        _ = nodes.note(2, Self.camera("b"))
        _ = nodes.note(3, ["media.class": "Audio/Source", "node.name": "b", "object.serial": "9"])
        #expect(nodes.devices.map(\.record.isDefault) == [false, true, false])
        #expect(nodes.noteDefault("default.audio.source", #"{ "name": "b" }"#))
        #expect(nodes.devices.map(\.record.isDefault) == [false, true, true])
        #expect(nodes.noteDefault("default.video.source", nil))
        #expect(nodes.devices.map(\.record.isDefault) == [false, false, true])
        #expect(nodes.noteDefault(nil, nil))
        #expect(nodes.devices.map(\.record.isDefault) == [false, false, false])
    }

    @Test(arguments: [
        ("default.configured.video.source", #"{"name":"a"}"#), ("default.video.source", "a"),
        ("default.video.source", #"{"name":7}"#), ("default.video.source", "{"), ("default.video.source", ""),
        ("default.video.source", #"{"name":"a"}"# + String(repeating: " ", count: 2_000)),
    ])
    func `what does not name a standard marks none`(key: String, value: String) {
        let nodes = ToldNodes()
        _ = nodes.note(1, Self.camera("a"))
        #expect(!nodes.noteDefault(key, value))
        #expect(nodes.devices.map(\.record.isDefault) == [false])
    }

    @Test func `a program that makes nodes without end gets so many listed`() {
        let nodes = ToldNodes()
        for id in 0..<UInt32(PipeWireNodes.mostNodes) { _ = nodes.note(id, Self.camera("c\(id)")) }
        #expect(!nodes.note(9_999, Self.camera("one-more")))
        #expect(nodes.note(3, Self.camera("another")))
        #expect(nodes.devices.count == PipeWireNodes.mostNodes)
        _ = nodes.remove(5)
        #expect(nodes.note(9_999, Self.camera("one-more")))
    }

    @Test func `texts without end are not kept`() {
        let nodes = ToldNodes()
        let endless = String(repeating: "x", count: PipeWireNodes.longestText + 1)
        var properties = Self.camera("a")
        (properties["node.description"], properties["other"]) = (endless, endless)
        _ = nodes.note(1, properties)
        #expect(nodes.devices.map(\.record.name) == ["a"])
        #expect(nodes.devices.first?.record.properties["other"] == nil)
    }

    @Test func `whatever comes in whatever order, each node is listed as it was told last`() {
        var random = SeededGenerator(seed: 17)
        for _ in 0..<200 {
            let nodes = ToldNodes()
            var told: [UInt32: String] = [:]
            for _ in 0..<60 {
                let id = UInt32.random(in: 0..<8, using: &random)
                if Bool.random(using: &random) {
                    let name = "n\(UInt8.random(in: 0..<4, using: &random))"
                    #expect(nodes.note(id, Self.camera(name)) == (told[id] != name))
                    told[id] = name
                } else {
                    #expect(nodes.remove(id) == (told.removeValue(forKey: id) != nil))
                }
            }
            #expect(nodes.devices.map(\.record.place) == told.sorted { $0.key < $1.key }.map(\.value))
        }
    }
}
