import BaseKit
import Foundation
import Portal
import TestSupport
import Testing

@testable import Notifications

/// The servers that people use, on a screen.
@MainActor @Suite(.needs(RealServer.obstacle), .serialized, .timeLimit(.minutes(5))) struct RealServerTests {
    /// A desktop with a server: what is to be told before there is one is a trouble.
    private func served(by kind: RealServer.Kind) async throws -> (desk: Desk, server: RealServer) {
        let desk = try await Desk()
        let server = try RealServer(kind, bus: desk.home.address)
        let onlooker = try await desk.connect()
        try await waitUntil("the server") { try await onlooker.owner(of: NotificationServer.name) != nil }
        return (desk, server)
    }

    /// A desktop with a server, on which a call rings and is seen.
    private func ringing(_ kind: RealServer.Kind) async throws -> (desk: Desk, server: RealServer) {
        let (desk, server) = try await served(by: kind)
        desk.ring()
        try await waitUntil("the notification") { try await !server.windows().isEmpty }
        return (desk, server)
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `what a server can do is known`(_ kind: RealServer.Kind) async throws {
        let desk = try await Desk()
        let server = try RealServer(kind, bus: desk.home.address)
        let found = try await NotificationServer.find(on: try await desk.connect(), for: Desk.sender)
        var features = NotificationFeatures()
        for await case .came(let came) in found.events {
            features = came
            break
        }
        #expect(features.hasActions && features.hasBody && features.hasMarkup)
        #expect(!features.program.isEmpty)
        #expect(features.showsButtons == (kind != .dunst))
        #expect(features.keepsNotifications == (kind == .daemon))
        try await server.crash()
    }

    @Test(arguments: RealServer.Kind.closing)
    func `a call is on the screen until it does not ring any more`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await ringing(kind)
        await desk.notifier.close()
        try await waitUntil("it to go") { try await server.windows().isEmpty }
        #expect(desk.answers.isEmpty && desk.troubles.isEmpty)
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `the caller's picture is on the screen`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await served(by: kind)
        desk.ring(picture: Samples.portrait)
        try await waitUntil("the picture") {
            let hasGround = try await server.shows(Samples.ground)
            return try await server.shows(Samples.person) && hasGround
        }
        try await server.takePicture()
        #expect(desk.troubles.isEmpty)
        await desk.notifier.close()
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `the picture of who was missed is on the screen`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await served(by: kind)
        for _ in 0..<2 { desk.miss("Ada", picture: Samples.portrait) }
        try await waitUntil("the picture") {
            let hasGround = try await server.shows(Samples.ground)
            return try await server.shows(Samples.person) && hasGround
        }
        try await server.takePicture("missed")
        #expect(desk.troubles.isEmpty)
        await desk.notifier.close()
    }

    @Test(arguments: RealServer.Kind.closing)
    func `what keeps calls from coming in is told until it is over`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await served(by: kind)
        desk.tellLocked()
        try await waitUntil("the notification") { try await !server.windows().isEmpty }
        try await server.takePicture("locked")
        desk.notifier.seen("locked")
        try await waitUntil("it to go") { try await server.windows().isEmpty }
        #expect(desk.troubles.isEmpty)
        await desk.notifier.close()
    }

    @Test func `a button that a server leaves on the screen answers nothing any more`() async throws {
        let (desk, server) = try await ringing(.daemon)
        let onlooker = try await desk.connect()
        let closings = try await onlooker.signals(
            BusSignalFilter(interface: NotificationServer.name, name: "NotificationClosed"))
        let presses = try await onlooker.signals(
            BusSignalFilter(interface: NotificationServer.name, name: "ActionInvoked"))
        desk.notifier.stopRinging()
        for await _ in closings { break }
        try #require(try await !server.windows().isEmpty)
        try await server.click(across: 0.26, down: -39)
        for await press in presses {
            #expect(press.values.last == .string("accept"))
            break
        }
        try await waitUntil("it to go") { try await server.windows().isEmpty }
        #expect(desk.answers.isEmpty)
        await desk.notifier.close()
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `the button for accepting accepts`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await ringing(kind)
        switch kind {
        case .dunst: try await server.control("context")
        case .daemon: try await server.click(across: 0.26, down: -39)
        case .xfce: try await server.click(across: 0.32, down: -31)
        }
        try await waitUntil("the answer") { !desk.answers.isEmpty }
        #expect(desk.answers == [.accept])
        await desk.notifier.close()
    }

    @Test(arguments: [RealServer.Kind.dunst, .daemon])
    func `what a server does for the notification itself opens the call`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await ringing(kind)
        switch kind {
        case .dunst: try await server.control("action")
        default: try await server.click(across: 0.5, down: 30)
        }
        try await waitUntil("the answer") { !desk.answers.isEmpty }
        #expect(desk.answers == [.open])
        await desk.notifier.close()
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `a call that is sent away is ignored`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await ringing(kind)
        switch kind {
        case .dunst: try await server.control("close")
        case .daemon: try await server.click(across: 0.975, down: 28)
        case .xfce: try await server.click(across: 0.3, down: 25)
        }
        try await waitUntil("the answer") { !desk.answers.isEmpty }
        try await waitUntil("it to go") { try await server.windows().isEmpty }
        #expect(desk.answers == [.ignore])
        await desk.notifier.close()
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `a server that is killed and started again shows the call again`(_ kind: RealServer.Kind) async throws {
        let (desk, first) = try await ringing(kind)
        try await first.crash()
        try await waitUntil("it to go") { try await first.windows().isEmpty }
        let second = try RealServer(kind, bus: desk.home.address)
        try await waitUntil("the notification") { try await !second.windows().isEmpty }
        #expect(desk.answers.isEmpty)
        await desk.notifier.close()
    }

    @Test(arguments: RealServer.Kind.allCases)
    func `a missed call can be read after the program's end and has no button`(_ kind: RealServer.Kind) async throws {
        let desk = try await Desk()
        let server = try RealServer(kind, bus: desk.home.address)
        let onlooker = try await desk.connect()
        desk.miss("Ada")
        try await waitUntil("the notification") { try await !server.windows().isEmpty }
        let presses = try await onlooker.signals(BusSignalFilter(interface: NotificationServer.name))
        let count = try await onlooker.connections()
        await desk.notifier.close()
        try await waitUntil("the program to leave the bus") { try await onlooker.connections() < count }
        #expect(try await !server.windows().isEmpty)
        switch kind {
        case .dunst: try await server.control("action")
        case .daemon: try await server.click(across: 0.26, down: -39)
        case .xfce: try await server.click(across: 0.32, down: -31)
        }
        try await onlooker.call(
            BusMethod(
                destination: NotificationServer.name, path: "/org/freedesktop/Notifications",
                interface: NotificationServer.name, name: "GetServerInformation"))
        try await server.crash()
        await onlooker.close()
        // notification-daemon says "default" of any click on the text.
        var keys: [BusValue?] = []
        for await press in presses where press.name == "ActionInvoked" { keys.append(press.values.last) }
        #expect(!keys.contains(.string(MissedCallNotifications.callBack)))
    }

    @Test(arguments: RealServer.Kind.closing)
    func `missed calls of one person stay as one notification`(_ kind: RealServer.Kind) async throws {
        let (desk, server) = try await served(by: kind)
        desk.miss("Ada")
        desk.miss("Ada")
        try await waitUntil("the notification") { try await !server.windows().isEmpty }
        #expect(try await server.windows().count == 1)
        desk.notifier.seen()
        try await waitUntil("it to go") { try await server.windows().isEmpty }
        await desk.notifier.close()
        #expect(desk.troubles.isEmpty)
    }
}

extension Bus {
    /// How many are on it.
    fileprivate func connections() async throws -> Int {
        let reply = try await call(
            BusMethod(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                name: "ListNames"))
        return reply.values.first?.members?.count { $0.string?.hasPrefix(":") == true } ?? 0
    }
}
