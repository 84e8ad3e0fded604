import BaseKit
import Foundation
import Portal
import TestSupport
import Testing

@testable import DesktopApplication

/// Escape and Control+W close each window over the main one.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class DialogKeysDesktopTests: ServiceSuite {
    private static let invitation = "simplex:/invitation#/?v=2-7&smp="
    private static let keys = ["Escape", "ctrl+w"]

    @Test func `the windows of the main menu go`() throws {
        let parley = try start()
        try parley.see("Call Dora Declines")
        for kind: OpenDialogs.Kind in [.address, .preferences, .shortcuts, .help, .about, .ownProfile, .reach] {
            try go(kind, from: parley)
        }
        try parley.see("Call Dora Declines")
        #expect(parley.isRunning)
    }

    @Test func `the windows of a new contact go`() throws {
        // The camera holds a link after some seconds, which end the search.
        let parley = try start(["--pause", "3000"])
        try parley.see("Call Dora Declines")
        try go(.addContact, from: parley)
        try parley.press("Add a contact")
        for kind: OpenDialogs.Kind in [.scan, .nearby] { try go(kind, from: parley) }
        try parley.press("Create link")
        try parley.press("Show link")
        try go(.question("withdraw"), from: parley)
        try closeFront(of: parley, seen: "Nobody has opened it yet")
        try closeFront(of: parley, seen: "Send your link")
        try go(.invitation(""), from: parley)
    }

    @Test func `the questions about somebody’s link go`() throws {
        let parley = try start([Self.invitation + "first"])
        try waitForName(parley)
        try go(.link, from: parley)
        try go(.question("relay of link"), from: parley)
        try parley.press("Add a contact")
        try parley.type(Self.invitation + "shared", into: "Link")
        try go(.question("relay"), from: parley)
        #expect(!parley.shows("Friend by link"))
    }

    @Test func `the windows about a contact go`() throws {
        let parley = try start()
        try parley.see("Call Dora Declines")
        for kind: OpenDialogs.Kind in [
            .contact(""), .securityCode(""), .messages(""), .question("block"), .question("messages"),
        ] { try go(kind, from: parley) }
    }

    @Test func `the windows of the log and of the profile’s key go`() throws {
        let parley = try start(["--log", "3"])
        try parley.turn(to: "Calls")
        for kind: OpenDialogs.Kind in [.callDetails(1), .question("calls")] { try go(kind, from: parley) }
        try parley.choose("Your address", from: "Main menu")
        try parley.press("Create address")
        try go(.question("address"), from: parley)
        try closeFront(of: parley, seen: "QR code of your address")
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Key")
        try go(.passphrase, from: parley)
        // Takes the place of all that is open.
        try go(.moveProfile, from: parley)
    }

    @Test func `the windows of a call go, and the call does not`() throws {
        let parley = try start()
        try parley.press("Video call with Mia Mutes")
        try parley.see("0:")
        for kind: OpenDialogs.Kind in [.connection, .sharing] { try go(kind, from: parley) }
        #expect(!parley.shows("You are sharing your screen"))
        try parley.press("Make the call small")
        try go(.question("room"), from: parley)
        try parley.press("End the call")
        for key in Self.keys {
            try close(.clearMedia, by: key, in: parley)
            try parley.see("You ended the call.")
            try parley.press("Back to the contacts")
        }
    }

    @Test func `the code of somebody in a call of several goes, and the call does not`() throws {
        let parley = try start(with: ["FAKE_CALLS_GROUPS": "1"])
        try parley.pressToggle("Select contacts")
        for name in ["Sven Shares", "Sia Silent"] { try parley.flip("Select \(name)") }
        try parley.press("Call them together")
        try parley.press("Show the participants")
        try go(.memberCode, from: parley)
        try parley.see("Leave the call")
    }

    @Test func `the look before a call goes`() throws {
        try choose(["look-before-calls": true])
        let parley = try start()
        try parley.see("Call Dora Declines")
        try go(.beforeCall, from: parley)
        #expect(!parley.shows("0:"))
    }

    @Test func `the questions of the program itself go`() throws {
        let parley = try start()
        try parley.see("Call Dora Declines")
        try go(.question("stay"), from: parley)
        #expect(autostart.choice == .undecided)
        try autostart.set(true)
        for kind: OpenDialogs.Kind in [.question("quit"), .question("call")] { try go(kind, from: parley) }
        #expect(!parley.shows("0:"))
    }

    @Test func `the windows of profiles go`() throws {
        let parley = try RunningProgram(
            ["--key-file", "--name", "Ada", "--camera", "test", "--microphone", "test"],
            environment: ["XDG_DATA_HOME": folder.path])
        atEnd { parley.kill() }
        try parley.see("Video call with Test call")
        try go(.profiles, from: parley)
        try parley.choose("Profiles", from: "Main menu")
        try parley.press("New Profile")
        try parley.type("Work", into: "Your name")
        try parley.press("Continue")
        try parley.see("Step 2 of 4")
        try parley.press("Continue")
        for step in ["Step 3 of 4", "Step 4 of 4"] {
            try parley.see(step)
            try parley.press("Skip")
        }
        try parley.see("Work – Parley")
        try parley.see("Video call with Test call")
        try parley.choose("Profiles", from: "Main menu")
        try go(.question("profile"), from: parley)
        try parley.see("Remove the profile Work")
    }

    @Test func `what brings a profile goes, and the welcome stays`() throws {
        let parley = try start(["--new"])
        try parley.see("How do you want to be seen?")
        try go(.bringProfile, from: parley)
        try parley.see("How do you want to be seen?")
    }

    /// What a window says, and how a person gets there from where the test is. The compiler asks for each new kind of window.
    private func way(to kind: OpenDialogs.Kind, in parley: RunningProgram) -> (seen: String, open: () throws -> Void) {
        switch kind {
        case .addContact: ("Send your link", { try parley.press("Add a contact") })
        case .link: ("Connect with who made this link?", { try self.open(Self.invitation + "first") })
        case .scan: ("Hold the QR code into the camera.", { try parley.press("Scan a QR Code…") })
        case .address: ("Contact address", { try parley.choose("Your address", from: "Main menu") })
        case .reach:
            (
                "By my relay",
                {
                    try parley.choose("Preferences", from: "Main menu")
                    try parley.turn(to: "Network")
                    try parley.press("How People Reach You…")
                }
            )
        case .nearby: ("Otto Other-Code", { try parley.press("Nearby…") })
        case .preferences: ("Echo cancellation", { try parley.choose("Preferences", from: "Main menu") })
        case .about: ("The Parley contributors", { try parley.choose("About Parley", from: "Main menu") })
        case .shortcuts:
            ("Mute or unmute the microphone", { try parley.choose("Keyboard Shortcuts", from: "Main menu") })
        case .help: ("Make a test call", { try parley.choose("Help", from: "Main menu") })
        case .passphrase: ("Choose a passphrase", { try parley.press("Use a passphrase") })
        case .sharing: ("Share with system sound", { try parley.press("Share your screen") })
        case .clearMedia: ("Go on without end-to-end encryption?", { try parley.press("Call Otto Old-Program") })
        case .connection: ("12345 67890", { try parley.press("Connection: Poor.") })
        case .addPeople: ("is asked first.", { try parley.press("Add people to the call") })
        case .beforeCall: ("Nothing is sent before you call.", { try parley.press("Video call with Test call") })
        case .ownProfile: ("Choose Picture…", { try parley.choose("Your profile", from: "Main menu") })
        case .profiles: ("New Profile", { try parley.choose("Profiles", from: "Main menu") })
        case .moveProfile: ("Passphrase of the file", { try self.move(parley) })
        case .bringProfile:
            ("Passphrase of the file", { try parley.press("Bring a Profile from Another Machine…") })
        case .contact: ("Notes", { try parley.choose("Details", from: "Menu for Dora Declines") })
        case .securityCode:
            ("12345 67890", { try parley.choose("Compare security code", from: "Menu for Dora Declines") })
        case .memberCode:
            (
                "Both Are the Same",
                {
                    try parley.open("Options for Sven Shares")
                    try parley.press("Security code of Sven Shares")
                }
            )
        case .invitation: ("Nobody has opened it yet", { try parley.press("Show link") })
        case .messages:
            ("Sven Shares: Voice message", { try parley.choose("Messages", from: "Menu for Sven Shares") })
        case .callDetails:
            (
                "Details of the call",
                { try parley.choose("Details", from: try parley.see("Menu for Dora Declines, ")) }
            )
        case .question(let about): question(about, in: parley)
        }
    }

    private func question(_ about: String, in parley: RunningProgram) -> (seen: String, open: () throws -> Void) {
        switch about {
        case "relay":
            ("Use their relay, too?", { try parley.press("Connect") })
        case "relay of link":
            (
                "Use their relay, too?",
                {
                    try self.open(Self.invitation + "shared")
                    try parley.press("Connect")
                }
            )
        case "withdraw": ("Withdraw the link?", { try parley.press("Withdraw link…") })
        case "address": ("Delete the address?", { try parley.press("Delete address") })
        case "calls": ("Delete all calls?", { try parley.choose("Delete all calls", from: "Menu for calls") })
        case "messages":
            (
                "Delete all messages with Sven Shares?",
                {
                    try parley.choose("Messages", from: "Menu for Sven Shares")
                    try parley.choose("Delete All Messages", from: "Menu for messages with Sven Shares")
                }
            )
        case "block": ("Block Dora Declines?", { try parley.choose("Block", from: "Menu for Dora Declines") })
        case "stay": ("Receive calls when the window is closed?", { try Keyboard.press("ctrl+w") })
        case "quit": ("Quit Parley?", { try Keyboard.press("ctrl+q") })
        case "room": ("You are in a call with Mia Mutes.", { try parley.press("Call Sia Silent") })
        case "call":
            (
                "Another program asks for this call.",
                {
                    let client = try self.client()
                    try blocking {
                        try await client.activate(action: "call-back", parameter: .string("audio isSilent"))
                    }
                }
            )
        case "profile": ("Remove the profile Work?", { try parley.press("Remove the profile Work") })
        default: ("a question", { Issue.record("no way leads to the question \(about)") })
        }
    }

    private func move(_ parley: RunningProgram) throws {
        if !parley.shows("Move This Profile") {
            try parley.choose("Preferences", from: "Main menu")
            try parley.turn(to: "Key")
        }
        try parley.press("Move This Profile")
    }

    private func open(_ link: String) throws {
        let client = try client()
        try blocking { try await client.open([link]) }
    }

    /// Opens such a window and closes it, by each of the keys.
    private func go(_ kind: OpenDialogs.Kind, from parley: RunningProgram) throws {
        for key in Self.keys { try close(kind, by: key, in: parley) }
    }

    private func close(_ kind: OpenDialogs.Kind, by key: String, in parley: RunningProgram) throws {
        let (seen, open) = way(to: kind, in: parley)
        try wait("a window with the keys") { try !Keyboard.activeWindow().isEmpty }
        let before = try Keyboard.activeWindow()
        if !parley.shows(seen) { try open() }
        try parley.see(seen)
        if kind == .link {
            // The program was started with it: whichever of its first two windows the window manager gave the keys to.
            try Keyboard.activate(Keyboard.window(titled: "Open a link"))
        } else {
            try wait("the keys for “\(seen)”") { try !["", before].contains(Keyboard.activeWindow()) }
        }
        try Keyboard.press(key)
        try parley.seeNoMore(seen)
    }

    /// Closes the window in front, which says this.
    private func closeFront(of parley: RunningProgram, seen: String) throws {
        try wait("a window with the keys") { try !Keyboard.activeWindow().isEmpty }
        try Keyboard.press("Escape")
        try parley.seeNoMore(seen)
    }
}
