import Portal

/// A call as a player on the bus: what it answers to whom asks (MPRIS D-Bus Interface Specification 2.2). Pure.
struct MediaPlayerObject: Equatable, Sendable {
    /// What is answered to a call.
    enum Answer: Equatable, Sendable {
        case values([BusValue])
        /// The name of an error, and a sentence for programmers.
        case refusal(String, String)
        /// It is a key; it is answered with nothing.
        case key(MediaKeysMachine.Key)
    }

    static let path = "/org/mpris/MediaPlayer2"
    static let interface = "org.mpris.MediaPlayer2"
    static let playerInterface = "org.mpris.MediaPlayer2.Player"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let error = "org.freedesktop.DBus.Error."

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

    private func values(of interface: String) -> [String: BusValue]? {
        switch interface {
        case Self.interface:
            [
                "CanQuit": .bool(false), "CanRaise": .bool(false), "HasTrackList": .bool(false),
                "Identity": .string(identity), "DesktopEntry": .string(desktopEntry),
                "SupportedUriSchemes": .array([], of: "s"), "SupportedMimeTypes": .array([], of: "s"),
            ]
        case Self.playerInterface:
            changing.merging([
                "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1), "Volume": .double(1),
                "Position": .int64(0), "CanGoNext": .bool(false), "CanGoPrevious": .bool(false), "CanPlay": .bool(true),
                "CanPause": .bool(true), "CanSeek": .bool(false), "CanControl": .bool(true),
            ]) { changing, _ in changing }
        default: nil
        }
    }

    /// What is answered to a call of a method.
    func answer(path: String, interface: String, name: String, _ arguments: [BusValue]) -> Answer {
        switch (interface, name) {
        case ("org.freedesktop.DBus.Peer", "Ping"): return .values([])
        case ("org.freedesktop.DBus.Introspectable", "Introspect"):
            guard let text = Self.introspection(of: path) else { break }
            return .values([.string(text)])
        case _ where path != Self.path: break
        case (Self.properties, _): return answer(name, arguments)
        case (Self.playerInterface, "Next"), (Self.playerInterface, "Previous"), (Self.playerInterface, "Seek"),
            (Self.playerInterface, "SetPosition"), (Self.interface, "Raise"), (Self.interface, "Quit"):
            // It can't: the specification says that nothing happens then.
            return .values([])
        case (Self.playerInterface, "OpenUri"): return .refusal(Self.error + "NotSupported", "a call plays nothing")
        case (Self.playerInterface, let name):
            guard let key = MediaKeysMachine.Key(rawValue: name) else { break }
            return .key(key)
        default: break
        }
        return .refusal(Self.error + "UnknownMethod", "no such method")
    }

    private func answer(_ name: String, _ arguments: [BusValue]) -> Answer {
        let texts = arguments.prefix(2).compactMap { if case .string(let text) = $0 { text } else { nil } }
        switch (name, arguments.count, texts.count) {
        case ("GetAll", 1, 1):
            guard let values = values(of: texts[0]) else { return Self.noInterface }
            return .values([.dictionary(values)])
        case ("Get", 2, 2):
            guard let values = values(of: texts[0]) else { return Self.noInterface }
            guard let value = values[texts[1]] else { return Self.noProperty }
            return .values([.variant(value)])
        case ("Set", 3, 2):
            guard let values = values(of: texts[0]) else { return Self.noInterface }
            guard values[texts[1]] != nil else { return Self.noProperty }
            return .refusal(Self.error + "PropertyReadOnly", "it is as it is")
        case ("Get", _, _), ("GetAll", _, _), ("Set", _, _):
            return .refusal(Self.error + "InvalidArgs", "other arguments are expected")
        default: return .refusal(Self.error + "UnknownMethod", "no such method")
        }
    }

    private static let noInterface = Answer.refusal(error + "UnknownInterface", "no such interface")
    private static let noProperty = Answer.refusal(error + "UnknownProperty", "no such property")

    // MARK: Introspection

    /// What an object says of itself; nil where there is none.
    static func introspection(of path: String) -> String? {
        let parents = ["/": "org", "/org": "mpris", "/org/mpris": "MediaPlayer2"]
        if let child = parents[path] { return document("  <node name=\"\(child)\"/>") }
        return path == self.path ? document(interfaces) : nil
    }

    private static func document(_ content: String) -> String {
        """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
        \(content)
        </node>

        """
    }

    private static let interfaces = """
          <interface name="org.freedesktop.DBus.Introspectable">
            <method name="Introspect"><arg type="s" name="data" direction="out"/></method>
          </interface>
          <interface name="org.freedesktop.DBus.Peer"><method name="Ping"/></interface>
          <interface name="org.freedesktop.DBus.Properties">
            <method name="Get">
              <arg type="s" name="interface" direction="in"/><arg type="s" name="property" direction="in"/>
              <arg type="v" name="value" direction="out"/>
            </method>
            <method name="GetAll">
              <arg type="s" name="interface" direction="in"/><arg type="a{sv}" name="properties" direction="out"/>
            </method>
            <method name="Set">
              <arg type="s" name="interface" direction="in"/><arg type="s" name="property" direction="in"/>
              <arg type="v" name="value" direction="in"/>
            </method>
            <signal name="PropertiesChanged">
              <arg type="s" name="interface"/><arg type="a{sv}" name="changed"/><arg type="as" name="invalidated"/>
            </signal>
          </interface>
          <interface name="org.mpris.MediaPlayer2">
            <method name="Raise"/>
            <method name="Quit"/>
            <property name="CanQuit" type="b" access="read"/>
            <property name="CanRaise" type="b" access="read"/>
            <property name="HasTrackList" type="b" access="read"/>
            <property name="Identity" type="s" access="read"/>
            <property name="DesktopEntry" type="s" access="read"/>
            <property name="SupportedUriSchemes" type="as" access="read"/>
            <property name="SupportedMimeTypes" type="as" access="read"/>
          </interface>
          <interface name="org.mpris.MediaPlayer2.Player">
            <method name="Next"/>
            <method name="Previous"/>
            <method name="Pause"/>
            <method name="PlayPause"/>
            <method name="Stop"/>
            <method name="Play"/>
            <method name="Seek"><arg type="x" name="Offset" direction="in"/></method>
            <method name="SetPosition">
              <arg type="o" name="TrackId" direction="in"/><arg type="x" name="Position" direction="in"/>
            </method>
            <method name="OpenUri"><arg type="s" name="Uri" direction="in"/></method>
            <signal name="Seeked"><arg type="x" name="Position"/></signal>
            <property name="PlaybackStatus" type="s" access="read"/>
            <property name="Rate" type="d" access="readwrite"/>
            <property name="Metadata" type="a{sv}" access="read"/>
            <property name="Volume" type="d" access="readwrite"/>
            <property name="Position" type="x" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>
            <property name="MinimumRate" type="d" access="read"/>
            <property name="MaximumRate" type="d" access="read"/>
            <property name="CanGoNext" type="b" access="read"/>
            <property name="CanGoPrevious" type="b" access="read"/>
            <property name="CanPlay" type="b" access="read"/>
            <property name="CanPause" type="b" access="read"/>
            <property name="CanSeek" type="b" access="read"/>
            <property name="CanControl" type="b" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>
          </interface>
        """
}
