import Portal
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(1))) struct MediaPlayerObjectTests {
    private static func object(_ stage: MediaKeysCall.Stage = .ringing) -> MediaPlayerObject {
        MediaPlayerObject(
            identity: "Parley", desktopEntry: "im.parley.Parley",
            call: MediaKeysCall("1", title: "Incoming call", stage: stage))
    }

    private static func call(_ interface: String, _ name: String, _ signature: String, _ arguments: [BusValue])
        -> MethodCall
    {
        MethodCall(
            path: MediaPlayerObject.path, interface: interface, name: name, signature: signature, arguments: arguments)
    }

    /// What is answered to a call of the properties' interface.
    private static func ask(
        _ name: String, _ signature: String, _ arguments: [BusValue]
    ) throws(BusFailure) -> [BusValue] {
        guard
            case .values(let values) = try object().answer(
                call(BusInterface.propertiesName, name, signature, arguments))
        else { return [] }
        return values
    }

    @Test(arguments: [
        (MediaKeysCall.Stage.ringing, "Paused"), (.active(isMicrophoneOn: true), "Playing"),
        (.active(isMicrophoneOn: false), "Paused"),
    ])
    func `it plays while the microphone is on`(stage: MediaKeysCall.Stage, status: String) {
        #expect(Self.object(stage).changing["PlaybackStatus"] == .string(status))
    }

    @Test func `nothing is told of a call but the title it was given`() {
        #expect(
            Self.object().changing["Metadata"]
                == .dictionary([
                    "mpris:trackid": .objectPath("/im/parley/Parley/call"), "xesam:title": .string("Incoming call"),
                ]))
    }

    @Test(arguments: [BusInterface.mediaPlayer, .mediaPlayerKeys])
    func `what it says of itself and what it has are the same properties`(interface: BusInterface) throws {
        let values = try Self.ask("GetAll", "s", [.string(interface.name)])
        #expect(try #require(values.first?.entries).keys.sorted() == interface.properties.map(\.name).sorted())
    }

    @Test func `it says of itself what players have`() throws {
        let asked = Self.call("org.freedesktop.DBus.Introspectable", "Introspect", "", [])
        guard case .values(let values) = try Self.object().answer(asked) else { return }
        let text = try #require(values.first?.string)
        for interface in [BusInterface.mediaPlayer, .mediaPlayerKeys] {
            #expect(text.contains("\"\(interface.name)\""))
        }
    }

    /// Whatever programs ask of it.
    @Test(arguments: [
        ("Get", "s", [BusValue.string("org.mpris.MediaPlayer2")], "InvalidArgs"),
        ("Get", "uu", [.uint32(1), .uint32(2)], "InvalidArgs"),
        ("Get", "ss", [.string("org.mpris.MediaPlayer2"), .string("Password")], "UnknownProperty"),
        ("GetAll", "s", [.string("")], "UnknownInterface"),
        (
            "Set", "ssv", [.string("org.mpris.MediaPlayer2.Player"), .string("Volume"), .variant(.double(2))],
            "PropertyReadOnly"
        ), ("Delete", "", [], "UnknownMethod"),
    ])
    func `what makes no sense is refused`(name: String, signature: String, arguments: [BusValue], error: String) {
        #expect {
            try Self.ask(name, signature, arguments)
        } throws: {
            ($0 as? BusFailure)?.name == "org.freedesktop.DBus.Error." + error
        }
    }

    @Test(arguments: [
        ("Next", "", []), ("Previous", "", []), ("Seek", "x", [BusValue.int64(1)]),
        ("SetPosition", "ox", [.objectPath("/"), .int64(1)]),
    ])
    func `what a call can't do does nothing`(name: String, signature: String, arguments: [BusValue]) throws {
        let asked = Self.call(BusInterface.mediaPlayerKeys.name, name, signature, arguments)
        #expect(try Self.object().answer(asked) == .values([]))
    }

    @Test func `only its own object has keys`() throws {
        var asked = Self.call(BusInterface.mediaPlayerKeys.name, "PlayPause", "", [])
        #expect(try Self.object().answer(asked) == .key(.playPause))
        asked.path = "/"
        #expect(throws: BusFailure.self) { try Self.object().answer(asked) }
        #expect(throws: BusFailure.self) { try Self.object().answer(Self.call("", "Play", "", [])) }
    }
}
