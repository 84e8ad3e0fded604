import BaseKit
import FakeNotifications
import Portal
import TestSupport
import Testing

@testable import Notifications

/// What this program's notifications do with a server that does whatever it likes.
@MainActor @Suite(.timeLimit(.minutes(5))) struct CallNotifierTests {
    /// A desktop with a server, on which a call rings and has been shown.
    private func ringing() async throws -> (desk: Desk, server: FakeNotificationServer) {
        let desk = try await Desk()
        let server = FakeNotificationServer(try await desk.connect())
        try await server.open()
        desk.ring()
        try await waitUntil("the notification") { server.shown.count == 1 }
        return (desk, server)
    }

    @Test func `a call is shown with name, buttons and hints`() async throws {
        let (desk, server) = try await ringing()
        let shown = try #require(server.shown.first)
        #expect(shown.program == "Parley" && shown.icon == "im.parley.Parley")
        #expect(shown.summary == "Ada" && shown.body == "Incoming video call" && shown.timeout == 0)
        #expect(
            shown.actions == [
                "default", "Show", "accept", "Accept", "accept-audio", "Accept with sound only", "decline", "Decline",
            ])
        #expect(shown.hints["urgency"] == .byte(2) && shown.hints["suppress-sound"] == .bool(true))
        await desk.notifier.close()
        #expect(server.closed == [1])
    }

    @Test func `what is pressed answers the call, with the token that came before`() async throws {
        let (desk, server) = try await ringing()
        try server.press("accept-audio", of: 1, token: "token-1")
        try await waitUntil("the answer") { desk.answers == [.acceptWithSoundOnly] }
        #expect(desk.tokens == ["token-1"])
        try await waitUntil("it to be taken back") { server.closed == [1] }
        await desk.notifier.close()
    }

    @Test func `a call that does not ring any more is taken back, and answers nothing`() async throws {
        let (desk, server) = try await ringing()
        desk.notifier.stopRinging()
        try await waitUntil("it to be taken back") { server.closed == [1] }
        try server.press("accept", of: 1)
        desk.ring()
        try await waitUntil("the next call") { server.shown.count == 2 }
        try server.press("accept", of: 1)
        try server.press("decline", of: 2)
        try await waitUntil("the answer") { !desk.answers.isEmpty }
        #expect(desk.answers == [.decline])
        await desk.notifier.close()
    }

    @Test func `a stranger answers nothing`() async throws {
        let (desk, server) = try await ringing()
        let stranger = try await desk.connect()
        let path = "/org/freedesktop/Notifications"
        try stranger.emit(
            path: path, interface: FakeNotificationServer.name, name: "ActionInvoked", [.uint32(1), .string("accept")])
        try stranger.emit(
            path: path, interface: FakeNotificationServer.name, name: "NotificationClosed", [.uint32(1), .uint32(2)])
        // The bus keeps the order: what the stranger said is there before what the server says.
        _ = try await stranger.owner(of: "any.name")
        try server.press("decline", of: 1)
        try await waitUntil("the answer") { !desk.answers.isEmpty }
        #expect(desk.answers == [.decline])
        await desk.notifier.close()
    }

    @Test func `garbage answers nothing`() async throws {
        let (desk, server) = try await ringing()
        let garbage: [(String, [BusValue])] = [
            ("ActionInvoked", []), ("ActionInvoked", [.string("accept"), .uint32(1)]),
            ("ActionInvoked", [.uint32(99), .string("accept")]), ("ActionInvoked", [.uint32(1), .string("")]),
            ("NotificationClosed", [.uint32(1)]), ("NotificationClosed", [.tuple([]), .dictionary([:])]),
            ("ActivationToken", [.uint32(1), .bytes([0])]), ("Unheard", [.uint32(1), .uint32(2)]),
        ]
        for (name, values) in garbage { try server.emit(name, values) }
        try server.press("decline", of: 1)
        try await waitUntil("the answer") { !desk.answers.isEmpty }
        #expect(desk.answers == [.decline])
        await desk.notifier.close()
    }

    @Test(arguments: [[], [BusValue.string("1")], [.uint32(0)]])
    func `a server that gives no number is left alone`(_ answer: [BusValue]) async throws {
        let desk = try await Desk()
        let server = FakeNotificationServer(try await desk.connect())
        server.answer("Notify", answer)
        try await server.open()
        desk.ring()
        try await waitUntil("the trouble") { desk.troubles == [.unexpectedAnswer] }
        await desk.notifier.close()
        #expect(server.closed.isEmpty)
    }

    @Test func `a server that says nothing of itself shows one line without buttons`() async throws {
        let desk = try await Desk()
        let server = FakeNotificationServer(try await desk.connect())
        server.answer("GetCapabilities", [.uint32(1)])
        server.answer("GetServerInformation", [])
        try await server.open()
        desk.ring()
        try await waitUntil("the notification") { server.shown.count == 1 }
        #expect(server.shown[0].summary == "Ada")
        #expect(server.shown[0].body.isEmpty && server.shown[0].actions.isEmpty)
        await desk.notifier.close()
    }

    @Test func `a server that comes later is told, and that it has gone`() async throws {
        let desk = try await Desk()
        let found = try await NotificationServer.find(on: try await desk.connect(), for: Desk.sender)
        let server = FakeNotificationServer(try await desk.connect(), capabilities: ["body"])
        try await server.open()
        var events = found.events.makeAsyncIterator()
        #expect(await events.next() == .came(NotificationFeatures(program: "fake 1", capabilities: ["body"])))
        await server.close()
        #expect(await events.next() == .left)
    }

    @Test func `a call is shown by a server that comes while it rings`() async throws {
        let desk = try await Desk()
        desk.ring()
        let server = FakeNotificationServer(try await desk.connect())
        try await server.open()
        try await waitUntil("the notification") { server.shown.count == 1 }
        await desk.notifier.close()
    }

    @Test func `a server that crashes while it rings has a successor that shows the call`() async throws {
        let (desk, first) = try await ringing()
        await first.close()
        let second = FakeNotificationServer(try await desk.connect(), first: 5)
        try await second.open()
        try await waitUntil("the notification") { second.shown.count == 1 }
        #expect(second.shown[0].replaces == 0)
        try second.press("accept", of: 5)
        try await waitUntil("the answer") { desk.answers == [.accept] }
        await desk.notifier.close()
    }

    @Test func `what is pressed in the first second does nothing, and the call is shown again`() async throws {
        let (desk, server) = try await ringing()
        desk.setStep(.milliseconds(100))
        try server.press("accept", of: 1)
        try await waitUntil("it to be shown again") { server.shown.count == 2 }
        #expect(desk.answers.isEmpty)
        desk.setStep(.seconds(2))
        try server.press("accept", of: 2)
        try await waitUntil("the answer") { desk.answers == [.accept] }
        await desk.notifier.close()
    }

    @Test func `missed calls of one person are one notification, and the button calls that person`() async throws {
        let desk = try await Desk()
        let server = FakeNotificationServer(try await desk.connect())
        try await server.open()
        for person in ["Ada", "Ben", "Ada"] { desk.miss(person) }
        try await waitUntil("all of them") {
            server.shown.contains { $0.body == "2 missed calls" } && server.shown.contains { $0.summary == "Ben" }
        }
        let numbers = Dictionary(grouping: server.shown, by: \.summary).mapValues { Set($0.map(\.id)) }
        #expect(numbers.values.allSatisfy { $0.count == 1 } && numbers.count == 2)
        try server.press("call-back", of: try #require(numbers["Ada"]?.first))
        try await waitUntil("the wish") { desk.wanted == ["Ada"] }
        desk.notifier.seen()
        try await waitUntil("the rest to be taken back") { Set(server.closed) == Set(server.shown.map(\.id)) }
        await desk.notifier.close()
    }

    @Test func `without a bus nothing fails, and each call looks for one again`() async throws {
        let notifier = CallNotifier(
            for: Desk.sender, openBus: { () async throws(PortalError) in throw .noBus("there is none") })
        var troubles: [NotificationError] = []
        notifier.onTrouble = { troubles.append($0) }
        for count in 1...2 {
            notifier.ring(Samples.text) { _, _ in }
            try await waitUntil("the trouble") { troubles.count == count }
        }
        #expect(troubles == [.noServer, .noServer])
        await notifier.close()
    }

    @Test func `a call that is to disturb less is shown as everything is`() async throws {
        let desk = try await Desk()
        let server = FakeNotificationServer(try await desk.connect())
        try await server.open()
        desk.ring(urgency: .normal)
        try await waitUntil("the notification") { server.shown.count == 1 }
        #expect(server.shown[0].hints["urgency"] == .byte(1))
        await desk.notifier.close()
    }

    @Test func `what the server can do is known before a call is shown`() async throws {
        let desk = try await Desk()
        let server = FakeNotificationServer(try await desk.connect(), capabilities: ["actions"])
        try await server.open()
        let features = NotificationFeatures(program: "fake 1", capabilities: ["actions"])
        #expect(await desk.notifier.features(within: .seconds(30)) == features)
        #expect(await desk.notifier.features(within: .zero) == features)
        await server.close()
        try await waitUntil("it to have left") { await desk.notifier.features(within: .zero) == nil }
        #expect(server.shown.isEmpty)
        await desk.notifier.close()
    }

    @Test func `who asks a desktop without server is not kept waiting`() async throws {
        let desk = try await Desk()
        #expect(await desk.notifier.features(within: .milliseconds(50)) == nil)
        await desk.notifier.close()
    }

    @Test func `who asks what a server can do has an answer as soon as one comes`() async throws {
        let desk = try await Desk()
        async let features = desk.notifier.features(within: .seconds(50))
        let server = FakeNotificationServer(try await desk.connect(), capabilities: ["actions"])
        try await server.open()
        #expect(await features?.capabilities == ["actions"])
        await desk.notifier.close()
    }

    @Test func `who asks without a bus has an answer at once`() async throws {
        let notifier = CallNotifier(
            for: Desk.sender, openBus: { () async throws(PortalError) in throw .noBus("there is none") })
        let start = Instant.now
        #expect(await notifier.features(within: .seconds(50)) == nil)
        #expect(Instant.now - start < .seconds(40))
    }

    @Test func `leaving takes everything back but the words of what was missed`() async throws {
        let (desk, server) = try await ringing()
        desk.miss("Ben")
        desk.miss("now", isLeft: false)
        try await waitUntil("all") { server.shown.count == 3 }
        await desk.notifier.close()
        #expect(Set(server.closed) == [1, 3])
        #expect(server.shown.last?.replaces == 2 && server.shown.last?.actions == [])
    }
}
