import FakePortal
import Foundation
import Portal
import Testing

/// The keys of players, which a call takes while it is there.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class MediaKeysDesktopTests: ServiceSuite {
    @Test func `a media key takes a call with sound only and mutes it`() throws {
        try choose(["media-keys": true])
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        _ = try notification()
        let bus = try blocking { try await Bus.session() }
        func press() throws {
            try blocking {
                _ = try await bus.call(
                    BusMethod(
                        destination: "org.mpris.MediaPlayer2.parley", path: "/org/mpris/MediaPlayer2",
                        interface: "org.mpris.MediaPlayer2.Player", name: "PlayPause"))
            }
        }
        try press()
        try parley.see("0:")
        try parley.see("Turn camera on")
        try press()
        try parley.see("Unmute microphone")
        try parley.press("End the call")
        try wait("the player to go") {
            try blocking { try await bus.owner(of: "org.mpris.MediaPlayer2.parley") } == nil
        }
    }

    @Test func `media keys reach a call once a slow player stands still`() throws {
        try choose(["media-keys": true])
        let parley = try programWithoutWindow()
        let music = try player(.slow)
        let onlooker = try blocking { try await Bus.session() }
        let name = "org.mpris.MediaPlayer2.parley"
        let news = try blocking {
            try await onlooker.signals(ofAny: [
                BusSignalFilter(
                    path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties",
                    name: "PropertiesChanged"),
                BusSignalFilter(
                    sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameOwnerChanged",
                    firstText: name),
            ])
        }
        parley.signal(SIGUSR1)
        try wait("the call") { try blocking { try await onlooker.owner(of: name) } != nil }
        let first = try blocking {
            for await signal in news { return signal.name }
            return ""
        }
        #expect(first == "PropertiesChanged", "the call came before the music was paused")
        #expect(music.status == "Paused")
    }

    @Test func `a player that hangs keeps no media keys from a call`() throws {
        try choose(["media-keys": true])
        let parley = try programWithoutWindow()
        let music = try player(.hanging)
        parley.signal(SIGUSR1)
        let bus = try blocking { try await Bus.session() }
        try wait("the call") { try blocking { try await bus.owner(of: "org.mpris.MediaPlayer2.parley") } != nil }
        #expect(music.heard == [])
    }

    private func player(_ manner: FakePlayer.Manner) throws -> FakePlayer {
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let player = try blocking { try await FakePlayer("music", "Playing", manner, at: address) }
        atEnd { try blocking { await player.close() } }
        return player
    }
}
