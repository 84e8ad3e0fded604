import BaseKit
import FakeNotifications
import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

@testable import Notifications

/// Missed calls on a bus where somebody keeps notifications.
@MainActor @Suite(.timeLimit(.minutes(5))) struct NotificationKeeperTests {
    /// A desktop with a server and a keeper.
    private func shell() async throws -> (
        desk: Desk, server: FakeNotificationServer, keeper: FakeNotificationKeeper
    ) {
        let desk = try await Desk()
        let server = FakeNotificationServer(try await desk.connect())
        try await server.open()
        let keeper = FakeNotificationKeeper(try await desk.connect())
        try await keeper.open()
        return (desk, server, keeper)
    }

    @Test func `what outlives the program says all that is needed without it`() {
        let full = LastingNotification(
            title: "Ada <3", body: "2 missed", action: .init("show-call"),
            buttons: [.init(label: "Call back", action: .init("call-back", .string("audio 1")))])
        #expect(
            full.content
                == .dictionary([
                    "title": .string("Ada <3"), "body": .string("2 missed"), "priority": .string("normal"),
                    "default-action": .string("app.show-call"),
                    "buttons": .array(
                        [
                            .dictionary([
                                "label": .string("Call back"), "action": .string("app.call-back"),
                                "target": .string("audio 1"),
                            ])
                        ], of: "a{sv}"),
                ]))
        var pictured = full
        pictured.picture = [137, 80]
        #expect(
            pictured.content.entries?["icon"] == .tuple([.string("bytes"), .variant(.bytes([137, 80]))]))
        let bare = LastingNotification(title: "Missed call", action: .init("show", .byte(1)), buttons: [])
        #expect(
            bare.content
                == .dictionary([
                    "title": .string("Missed call"), "priority": .string("normal"),
                    "default-action": .string("app.show"), "default-action-target": .byte(1),
                    "buttons": .array([], of: "a{sv}"),
                ]))
    }

    @Test func `missed calls go to the keeper, one a person, and those that ring to the server`() async throws {
        let (desk, server, keeper) = try await shell()
        for person in ["Ada", "Ben", "Ada"] { desk.miss(person, lasts: true) }
        try await waitUntil("all of them") {
            keeper.standing.count == 2 && keeper.added.contains { $0.content["body"] == .string("2 missed calls") }
        }
        #expect(keeper.standing == ["missed-Ada", "missed-Ben"])
        #expect(keeper.added.allSatisfy { $0.application == "im.parley.Parley" })
        desk.ring()
        try await waitUntil("the call") { !server.shown.isEmpty }
        #expect(server.shown.map(\.body) == ["Incoming video call"])
        desk.notifier.seen("Ada")
        try await waitUntil("it to be taken away") { keeper.removed == ["missed-Ada"] }
        desk.notifier.seen()
        try await waitUntil("the rest") { keeper.removed == ["missed-Ada", "missed-Ben"] }
        await desk.notifier.close()
    }

    @Test func `leaving takes the buttons from what the server shows and leaves what is kept`() async throws {
        let (desk, server, keeper) = try await shell()
        desk.miss("Ada", lasts: true)
        desk.miss("Ben")
        desk.miss("now", isLeft: false)
        try await waitUntil("all") { keeper.standing == ["missed-Ada"] && server.shown.count == 3 - 1 }
        await desk.notifier.close()
        let last = try #require(server.shown.last)
        #expect(server.shown.count == 3 && last.replaces == 1 && last.actions.isEmpty)
        #expect(last.summary == "Ben" && last.body == "Missed call" && last.timeout == 0)
        #expect(server.closed == [2])
        #expect(keeper.removed.isEmpty && keeper.standing == ["missed-Ada"])
    }

    @Test func `a keeper that comes again is told again`() async throws {
        let (desk, server, keeper) = try await shell()
        desk.miss("Ada", lasts: true)
        try await waitUntil("it") { keeper.standing == ["missed-Ada"] }
        await keeper.close()
        try await waitUntil("the server to show it") { server.shown.count == 1 }
        let next = FakeNotificationKeeper(try await desk.connect())
        try await next.open()
        try await waitUntil("it again") { next.standing == ["missed-Ada"] && server.closed == [1] }
        #expect(next.added.first?.content["body"] == .string("Missed call"))
        await desk.notifier.close()
    }

    @Test func `what is refused is shown by the server`() async throws {
        let (desk, server, keeper) = try await shell()
        keeper.refuse()
        desk.miss("Ada", lasts: true)
        try await waitUntil("the notification") { server.shown.count == 1 }
        #expect(server.shown.first?.actions == ["default", "Show", "call-back", "Call back"])
        #expect(keeper.added.count == 1 && keeper.standing.isEmpty)
        #expect(desk.troubles.count == 1)
        await desk.notifier.close()
        #expect(server.closed.isEmpty && server.shown.last?.actions == [])
    }

    @Test func `nobody is started to keep something`() async throws {
        let folder = try TemporaryFolder()
        let mark = folder.path + "/started"
        let home = try await PrivateBus(
            startsServices: false, services: [FakeNotificationKeeper.name: "/usr/bin/touch \(mark)"])
        let server = FakeNotificationServer(try await Bus.connect(address: home.address))
        try await server.open()
        let notifier = CallNotifier(
            for: Desk.sender,
            openBus: { () async throws(PortalError) in try await Bus.connect(address: home.address) })
        notifier.missed("Ada") { _ in
            DesktopNotification(summary: "Ada", actions: [], urgency: .normal, category: "call.unanswered")
        } lasting: { _ in
            LastingNotification(title: "Ada", action: .init("show-call"), buttons: [])
        }
        try await waitUntil("the server to show it") { server.shown.count == 1 }
        #expect(!FileManager.default.fileExists(atPath: mark))
        await notifier.close()
    }
}
