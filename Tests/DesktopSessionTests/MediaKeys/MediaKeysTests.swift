import BaseKit
import FakePortal
import Portal
import Synchronization
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5))) struct MediaKeysTests {
    private static let ringing = MediaKeysCall("1", title: "Incoming call", stage: .ringing)
    private static let active = MediaKeysCall("1", title: "Call", stage: .active(isMicrophoneOn: true))

    private let home: PrivateBus
    private let bus: Bus
    private let keys: MediaKeys

    init() async throws {
        home = try await PrivateBus(startsServices: false)
        bus = try await Bus.connect(address: home.address)
        keys = Self.keys(on: home)
    }

    /// On a clock on which two seconds pass from one look to the next.
    private static func keys(on home: PrivateBus) -> MediaKeys {
        let looks = Counter()
        return MediaKeys(
            identity: "Parley", desktopEntry: "im.parley.Parley",
            now: { Instant(sinceStart: .seconds(2 * looks.next())) },
            openBus: { () async throws(PortalError) in try await Bus.connect(address: home.address) })
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    private func press(_ key: String, _ arguments: [BusValue] = []) async throws {
        try await bus.call(
            BusMethod(
                destination: MediaKeys.name, path: MediaPlayerObject.path, interface: BusInterface.mediaPlayerKeys.name,
                name: key), arguments)
    }

    private func get(_ name: String) async throws -> BusValue? {
        try await bus.call(
            BusMethod(
                destination: MediaKeys.name, path: MediaPlayerObject.path, interface: "org.freedesktop.DBus.Properties",
                name: "Get"), [.string(BusInterface.mediaPlayerKeys.name), .string(name)]
        ).values.first
    }

    @Test func `a call that rings is accepted by a key, with sound only`() async throws {
        await keys.set(Self.ringing)
        #expect(try await get("PlaybackStatus")?.string == "Paused")
        try await press("PlayPause")
        var wishes = keys.wishes.makeAsyncIterator()
        #expect(await wishes.next() == .acceptWithSoundOnly(call: "1"))
        await keys.set(nil)
    }

    @Test func `in a call a key turns the microphone off and on`() async throws {
        await keys.set(Self.active)
        for key in ["Stop", "Next", "PlayPause", "PlayPause"] { try await press(key) }
        var wishes = keys.wishes.makeAsyncIterator()
        #expect(await wishes.next() == .setMicrophone(call: "1", isOn: false))
        #expect(await wishes.next() == .setMicrophone(call: "1", isOn: true))
        await keys.set(nil)
    }

    @Test func `what changes is told`() async throws {
        await keys.set(Self.ringing)
        let changes = try await bus.signals(
            BusSignalFilter(interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged"))
        await keys.set(Self.active)
        for await change in changes {
            #expect(change.values.first == .string(BusInterface.mediaPlayerKeys.name))
            #expect(change.values[1].entries?["PlaybackStatus"] == .string("Playing"))
            break
        }
        await keys.set(nil)
    }

    @Test func `the name is there while there is a call, and no longer`() async throws {
        #expect(try await bus.owner(of: MediaKeys.name) == nil)
        for _ in 0..<2 {
            await keys.set(Self.ringing)
            let owner = try await bus.owner(of: MediaKeys.name)
            #expect(owner != nil)
            await keys.set(Self.active)
            #expect(try await bus.owner(of: MediaKeys.name) == owner)
            await keys.set(nil)
            try await waitUntil("the name to be free") { try await bus.owner(of: MediaKeys.name) == nil }
        }
    }

    @Test func `a second program has a name of its own`() async throws {
        let other = Self.keys(on: home)
        await other.set(Self.ringing)
        await keys.set(Self.ringing)
        let reply = try await bus.call(
            BusMethod(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                name: "ListNames"))
        let names = (reply.values.first?.members ?? []).compactMap(\.string).filter(MediaKeys.isOwn)
        #expect(names.count == 2)
        await other.set(nil)
        await keys.set(nil)
    }

    @Test func `a call is no player that stands still for a call`() async throws {
        let music = try await FakePlayer("music", "Playing", at: home.address)
        await keys.set(Self.active)
        let pause = PlayerPause(bus: bus)
        await pause.set(true)
        #expect(music.status == "Paused")
        #expect(try await get("PlaybackStatus")?.string == "Playing")
        await pause.set(false)
        await keys.set(nil)
        await music.close()
    }

    @Test func `calls of every shape are answered, and the keys work on`() async throws {
        await keys.set(Self.active)
        let garbage: [[BusValue]] = [
            [], [.string("")], [.int64(.min)], [.bytes([0, 255])], [.dictionary(["": .tuple([.bool(true)])])],
            [.array([.variant(.objectPath("/"))], of: "v"), .uint32(1), .double(.nan), .handle(0)],
        ]
        let interfaces = [
            BusInterface.mediaPlayer.name, BusInterface.mediaPlayerKeys.name, "org.freedesktop.DBus.Properties",
            "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer", "no.interface",
        ]
        for interface in interfaces {
            for name in ["Seek", "SetPosition", "OpenUri", "Quit", "Get", "GetAll", "Set", "Introspect", "Ping", "No"] {
                for arguments in garbage {
                    for path in ["/", MediaPlayerObject.path] {
                        _ = try? await bus.call(
                            BusMethod(destination: MediaKeys.name, path: path, interface: interface, name: name),
                            arguments, timeout: 2_000)
                    }
                }
            }
        }
        try await press("PlayPause")
        var wishes = keys.wishes.makeAsyncIterator()
        #expect(await wishes.next() == .setMicrophone(call: "1", isOn: false))
        await keys.set(nil)
    }

    @Test func `without a bus nothing fails`() async throws {
        let keys = MediaKeys(
            identity: "Parley", desktopEntry: "im.parley.Parley",
            openBus: { () async throws(PortalError) in throw .noBus("there is none") })
        await keys.set(Self.ringing)
        await keys.set(nil)
    }

    @Test func `GLib's own tool reads what it says of itself, and presses its keys`() async throws {
        await keys.set(Self.active)
        let folder = try TemporaryFolder()
        func tool(_ words: String...) async throws -> [String] {
            let tool = try ChildProcess(
                "/usr/bin/env",
                ["DBUS_SESSION_BUS_ADDRESS=" + home.address, "/usr/bin/gdbus"] + words[..<1]
                    + ["--session", "--dest", MediaKeys.name, "--object-path", MediaPlayerObject.path] + words[1...],
                folder: folder.path)
            #expect(try await tool.exitStatus() == 0)
            return tool.lines
        }
        let lines = try await tool("introspect")
        #expect(lines.contains { $0.contains("PlaybackStatus = 'Playing'") })
        #expect(lines.contains { $0.contains("Identity = 'Parley'") })
        _ = try await tool("call", "--method", "org.mpris.MediaPlayer2.Player.PlayPause")
        var wishes = keys.wishes.makeAsyncIterator()
        #expect(await wishes.next() == .setMicrophone(call: "1", isOn: false))
        await keys.set(nil)
    }
}
