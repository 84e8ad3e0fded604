import CGtk
import FakeNotifications
import Foundation
import TestSupport
import Testing

/// A suite of the real program, used through the accessibility bus.
class DesktopSuite: ProgramSuite {
    /// Who shows the programs' notifications.
    let notifications: FakeNotificationServer

    override init() throws {
        try MainActor.assumeIsolated { try Screen.open() }
        // Before a program asks for one: the bus would start one that is installed here.
        notifications = try SessionNotifications.server()
        guard AccessibilityBus.isThere else {
            try SkippedTests.skip(needing: "The accessibility bus can't be reached (package at-spi2-core).")
        }
        try super.init()
    }

    /// Makes two people contacts by a link, through their dialogs.
    func connect(_ ada: RunningProgram, _ name: String, to other: RunningProgram, _ otherName: String) throws {
        try ada.press("Add a contact")
        try ada.press("Create link")
        let link = try ada.see("simplex:/")
        try other.press("Add a contact")
        try other.type(link, into: "Link")
        try other.press("Connect")
        try ada.see("Video call with \(otherName)")
        try other.see("Video call with \(name)")
    }

    /// Starts the windows with pretended calls.
    /// `pause` in milliseconds is how long most things take there.
    func fake(
        pause: Int = 150, callsWait: Bool = false, callCount: Int = 0, environment: [String: String] = [:]
    ) throws -> RunningProgram {
        let parley = try RunningProgram(
            ["--pause", "\(pause)", "--log", "\(callCount)"] + (callsWait ? ["--calls-wait"] : []),
            environment: environment,
            program: RunningProgram.fakeCalls())
        atEnd { parley.kill() }
        return parley
    }

    /// Starts the windows with pretended calls; somebody calls when it gets SIGUSR1.
    func programThatIsCalled(environment: [String: String] = [:]) throws -> RunningProgram {
        let parley = try fake(callsWait: true, environment: environment)
        try parley.press("Call Cem Calls-Back")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try parley.see("Call Cem Calls-Back")
        return parley
    }

    /// Waits until something is so.
    func wait(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until condition: () throws -> Bool
    ) throws { try waitUntil(what, sourceLocation: sourceLocation, condition) }
}
