import Portal

/// A call as a player on the bus: what it answers to whom asks (MPRIS D-Bus Interface Specification 2.2). Pure.
struct MediaPlayerObject: Equatable, Sendable {
    /// What is answered to a call.
    enum Answer: Equatable, Sendable {
        case values([BusValue])
        /// It is a key; it is answered with nothing.
        case key(MediaKeysMachine.Key)
    }

    static let path = "/org/mpris/MediaPlayer2"

    /// The program's name for people.
    var identity: String
    /// The name of its desktop entry, without `.desktop`.
    var desktopEntry: String
    /// What is "played".
    var call: MediaKeysCall

    /// What changes while a call lasts.
    var changing: [String: BusValue] {
        ["PlaybackStatus": .string(status), "Metadata": .dictionary(metadata)]
    }

    /// "Playing" is what the key "pause" is for: a microphone that is on.
    private var status: String { call.stage == .active(isMicrophoneOn: true) ? "Playing" : "Paused" }

    private var metadata: [String: BusValue] {
        [
            "mpris:trackid": .objectPath("/im/parley/Parley/call"), "xesam:title": .string(call.title),
        ]
    }

    private var object: BusObject {
        BusObject(facets: [
            BusObject.Facet(
                interface: .mediaPlayer,
                properties: [
                    "CanQuit": .bool(false), "CanRaise": .bool(false), "HasTrackList": .bool(false),
                    "Identity": .string(identity), "DesktopEntry": .string(desktopEntry),
                    "SupportedUriSchemes": .array([], of: "s"), "SupportedMimeTypes": .array([], of: "s"),
                ]),
            BusObject.Facet(
                interface: .mediaPlayerKeys,
                properties: changing.merging([
                    "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1), "Volume": .double(1),
                    "Position": .int64(0), "CanGoNext": .bool(false), "CanGoPrevious": .bool(false),
                    "CanPlay": .bool(true), "CanPause": .bool(true), "CanSeek": .bool(false), "CanControl": .bool(true),
                ]) { changing, _ in changing }),
        ])
    }

    /// What lies above it on the path.
    private static let parents = ["/": "org", "/org": "mpris", "/org/mpris": "MediaPlayer2"]

    /// What is answered to a call of a method.
    /// - Throws: the error that is its answer.
    func answer(_ call: MethodCall) throws(BusFailure) -> Answer {
        if let child = Self.parents[call.path] {
            return .values(try BusObject(children: [child]).answer(call) ?? [])
        }
        guard call.path == Self.path else { throw .unknownObject(call.path) }
        if let values = try object.answer(call) { return .values(values) }
        if let key = MediaKeysMachine.Key(rawValue: call.name) { return .key(key) }
        if call.name == "OpenUri" { throw .notSupported("a call plays nothing") }
        // It can't: the specification says that nothing happens then.
        return .values([])
    }
}

extension BusInterface {
    static let mediaPlayer = BusInterface(
        name: "org.mpris.MediaPlayer2", methods: [Method("Raise"), Method("Quit")],
        properties: [
            Argument("CanQuit", "b"), Argument("CanRaise", "b"), Argument("HasTrackList", "b"),
            Argument("Identity", "s"),
            Argument("DesktopEntry", "s"), Argument("SupportedUriSchemes", "as"), Argument("SupportedMimeTypes", "as"),
        ])

    static let mediaPlayerKeys = BusInterface(
        name: "org.mpris.MediaPlayer2.Player",
        methods: [
            Method("Next"), Method("Previous"), Method("Pause"), Method("PlayPause"), Method("Stop"), Method("Play"),
            Method("Seek", takes: [Argument("Offset", "x")]),
            Method("SetPosition", takes: [Argument("TrackId", "o"), Argument("Position", "x")]),
            Method("OpenUri", takes: [Argument("Uri", "s")]),
        ],
        signals: [Signal("Seeked", carries: [Argument("Position", "x")])],
        properties: [
            Argument("PlaybackStatus", "s"), Argument("Rate", "d"), Argument("Metadata", "a{sv}"),
            Argument("Volume", "d"),
            Argument("Position", "x"), Argument("MinimumRate", "d"), Argument("MaximumRate", "d"),
            Argument("CanGoNext", "b"), Argument("CanGoPrevious", "b"), Argument("CanPlay", "b"),
            Argument("CanPause", "b"),
            Argument("CanSeek", "b"), Argument("CanControl", "b"),
        ])
}
