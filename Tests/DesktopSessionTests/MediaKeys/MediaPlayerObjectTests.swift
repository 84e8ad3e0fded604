import Portal
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(1))) struct MediaPlayerObjectTests {
    private static func object(_ stage: MediaKeysCall.Stage = .ringing) -> MediaPlayerObject {
        MediaPlayerObject(
            identity: "Parley", desktopEntry: "im.parley.Parley",
            call: MediaKeysCall("1", title: "Incoming call", stage: stage))
    }

    private static func ask(_ name: String, _ arguments: [BusValue], path: String = MediaPlayerObject.path)
        -> MediaPlayerObject.Answer
    {
        object().answer(path: path, interface: "org.freedesktop.DBus.Properties", name: name, arguments)
    }

    private static func refusal(_ answer: MediaPlayerObject.Answer) -> String? {
        if case .refusal(let name, _) = answer { name.replacing("org.freedesktop.DBus.Error.", with: "") } else { nil }
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

    @Test(arguments: [MediaPlayerObject.interface, MediaPlayerObject.playerInterface])
    func `what it says of itself and what it has are the same properties`(interface: String) throws {
        guard case .values(let values) = Self.ask("GetAll", [.string(interface)]) else {
            return #expect(Bool(false), "refused")
        }
        let text = try #require(MediaPlayerObject.introspection(of: MediaPlayerObject.path))
        let part = try #require(
            text.split(separator: "<interface name=\"\(interface)\">").last?.split(separator: "</interface>").first)
        let told = part.matches(of: /<property name="([A-Za-z]+)"/).map { String($0.output.1) }
        #expect(try #require(values.first?.entries).keys.sorted() == told.sorted())
        for name in told {
            guard case .values(let values) = Self.ask("Get", [.string(interface), .string(name)]) else {
                return #expect(Bool(false), "\(name) is refused")
            }
            #expect(values.count == 1)
        }
    }

    /// Whatever programs ask of it.
    @Test(arguments: [
        ("Get", [], "InvalidArgs"), ("Get", [BusValue.string("org.mpris.MediaPlayer2")], "InvalidArgs"),
        ("Get", [.uint32(1), .uint32(2)], "InvalidArgs"),
        ("Get", [.variant(.string("org.mpris.MediaPlayer2")), .string("Identity")], "InvalidArgs"),
        ("Get", [.string("org.example"), .string("Identity")], "UnknownInterface"),
        ("Get", [.string("org.mpris.MediaPlayer2"), .string("Password")], "UnknownProperty"),
        ("GetAll", [.tuple([]), .string("")], "InvalidArgs"), ("GetAll", [.string("")], "UnknownInterface"),
        ("Set", [.string("org.mpris.MediaPlayer2"), .string("Identity")], "InvalidArgs"),
        (
            "Set", [.string("org.mpris.MediaPlayer2.Player"), .string("Volume"), .variant(.double(2))],
            "PropertyReadOnly"
        ),
        (
            "Set", [.string("org.mpris.MediaPlayer2.Player"), .string("Secret"), .variant(.double(2))],
            "UnknownProperty"
        ), ("Delete", [], "UnknownMethod"),
    ])
    func `what makes no sense is refused`(name: String, arguments: [BusValue], error: String) {
        #expect(Self.refusal(Self.ask(name, arguments)) == error)
    }

    @Test(arguments: ["Next", "Previous", "Seek", "SetPosition"])
    func `what a call can't do does nothing`(name: String) {
        #expect(
            Self.object().answer(
                path: MediaPlayerObject.path, interface: MediaPlayerObject.playerInterface, name: name, [])
                == .values([]))
    }

    @Test func `only its own object has keys`() {
        let interface = MediaPlayerObject.playerInterface
        #expect(
            Self.object().answer(path: MediaPlayerObject.path, interface: interface, name: "PlayPause", [])
                == .key(.playPause))
        #expect(Self.refusal(Self.object().answer(path: "/", interface: interface, name: "PlayPause", [])) != nil)
        #expect(
            Self.refusal(Self.object().answer(path: MediaPlayerObject.path, interface: "", name: "Play", [])) != nil)
    }
}
