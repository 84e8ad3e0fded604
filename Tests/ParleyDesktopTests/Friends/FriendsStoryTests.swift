import BaseKit
import Foundation
import TestSupport
import Testing

/// Two friends from an empty home to the end of their friendship, with a relay of their own, by what they see and press alone.
/// It takes long, as a call that nobody takes lasts a minute.
@Suite(.windows(limit: .seconds(600)), .needs(VirtualDevices.obstacle), .serialized, .timeLimit(.minutes(10)))
final class FriendsStoryTests: DesktopSuite {
    /// Ben's picture of himself is of this colour.
    private static let colour: UInt32 = 0xD0_20C0

    private var manager: WindowManager!
    private var machine: VirtualDevices!
    private var folder: TemporaryFolder!
    private var relay: ReachableRelay!

    override init() throws {
        try super.init()
        manager = try WindowManager()
        machine = try blocking { try await VirtualDevices.running() }
        folder = try TemporaryFolder()
        relay = try ReachableRelay(of: self)
    }

    @Test func `two friends meet by a code, call each other, move and part`() throws {
        let ada = try newcomer("Ada")
        let camera = try holdAddress(of: ada)
        let ben = try newcomer("Ben", environment: machine.environment)
        try scan(ben)
        try accept(ada, ben)
        try rename(ada)
        try showPicture(of: ben, to: ada)
        try write(ada, ben)
        try block(ada, ben)
        try unblock(ada)
        try call(from: ben, to: ada)
        let later = try move(ada)
        try call(from: ben, to: later)
        try part(later, ben)
        withExtendedLifetime(camera) {}
    }

    // MARK: Meeting

    /// Starts the program and goes through its welcome, with a relay that other people reach.
    private func newcomer(_ name: String, environment: [String: String]? = nil) throws -> RunningProgram {
        let parley = try program(folder.file(name), environment)
        try Newcomer.introduce(name, to: parley)
        try parley.type(relay.address, into: "Address of the relay")
        try parley.press("Test and Use")
        try parley.seeNoMore("At present nobody else can open your links")
        try parley.press("Done")
        try parley.see("Ready to call")
        return parley
    }

    /// Starts the program with a camera of its own, or that of an environment.
    private func program(_ profile: String, _ environment: [String: String]? = nil) throws -> RunningProgram {
        let camera = environment == nil ? ["--camera", "test"] : []
        let parley = try RunningProgram(
            ["--profile", profile, "--microphone", "test"] + camera, environment: environment ?? [:], welcomes: true)
        atEnd { parley.kill() }
        return parley
    }

    /// Has somebody show the QR code of their address, and holds their screen before a camera.
    private func holdAddress(of ada: RunningProgram) throws -> VirtualDevices.Device {
        try ada.choose("Your address", from: "Main menu")
        try ada.press("Create address")
        try ada.see("QR code of your address")
        let screen = folder.file("screen.png")
        try ProgramWindows(of: ada).capture("Your address", to: screen)
        try ProgramWindows(of: ada).close("Your address")
        return try blocking { [machine = machine!] in
            try await machine.plugCamera("Ben-Camera", seeing: .file(screen), width: 1280, height: 720)
        }
    }

    private func scan(_ ben: RunningProgram) throws {
        try ben.press("Add a contact")
        try ben.press("Scan a QR Code…")
        try ben.see("Ask the owner of this address?")
        try ben.see("contacts the relay \(TURNServer.machineAddress)")
        #expect(!ben.shows("Create link"), "the dialog for a new contact lies over what comes of the code")
        ben.screenshot("friends-scanned")
        try ben.press("Connect")
        try ben.see("Asked. They become a contact once they accept.")
        ben.screenshot("friends-asked")
    }

    private func accept(_ ada: RunningProgram, _ ben: RunningProgram) throws {
        #expect(!ada.shows("Video call with Ben"))
        try ada.see("Wants to be a contact")
        ada.screenshot("friends-request")
        try ada.press("Accept Ben")
        try ada.see("Video call with Ben")
        try ben.see("Video call with Ada")
    }

    // MARK: Knowing each other

    private func rename(_ ada: RunningProgram) throws {
        try ada.choose("Details", from: "Menu for Ben")
        try ada.see("They reach you through")
        try ada.click("Name", in: try ProgramWindows(of: ada).bringForward("Ben"))
        try Keyboard.press("ctrl+a")
        try Keyboard.type("Benjamin")
        try ada.see("Benjamin", in: "Name")
        try Keyboard.press("Return")
        try ada.see("Calls themselves Ben")
        ada.screenshot("friends-renamed")
        try ProgramWindows(of: ada).close("Benjamin")
        try ada.see("Video call with Benjamin")
    }

    private func showPicture(of ben: RunningProgram, to ada: RunningProgram) throws {
        let file = folder.file("ben.png")
        try Tool.run("convert", "-size", "64x64", "xc:#\(String(Self.colour, radix: 16))", file)
        try ben.choose("Your profile", from: "Main menu")
        try ben.press("Choose Picture…")
        try ProgramWindows(of: ben).bringForward("Choose a picture")
        try Keyboard.type(file)
        // GTK 4.18 leaves what it has completed behind what is typed.
        try Keyboard.press("shift+End")
        try Keyboard.press("Delete")
        try Keyboard.press("Return")
        // GTK 4.8 crashes when assistive tools read its own dialog for files while that goes.
        try ProgramWindows(of: ben).seeNoMore("Choose a picture")
        try ben.see("No Picture")
        ben.screenshot("friends-own-picture")
        try ben.press("Save")
        try ben.seeNoMore("No Picture")
        try ProgramWindows(of: ada).seeColour(Self.colour, in: "Parley")
        ada.screenshot("friends-picture")
    }

    private func write(_ ada: RunningProgram, _ ben: RunningProgram) throws {
        try ada.choose("Messages", from: "Menu for Benjamin")
        try ada.type("Are you at home?", into: "Message")
        try ada.press("Send")
        try ada.see("You: Are you at home?")
        try ben.see("1 unread message")
        try ben.choose("Messages", from: "Menu for Ada")
        try ben.see("Ada: Are you at home?")
        try ben.type("Until six", into: "Message")
        try ben.press("Send")
        try ada.see("Benjamin: Until six")
        try ada.see("Delivered")
        ada.screenshot("friends-messages")
        for person in [ada, ben] { try ProgramWindows(of: person).close("Messages") }
        try ben.seeNoMore("1 unread message")
    }

    // MARK: Calls

    /// The blocked friend's call looks unanswered to him, and she neither sees nor hears of it.
    private func block(_ ada: RunningProgram, _ ben: RunningProgram) throws {
        try ada.choose("Block", from: "Menu for Benjamin")
        try ada.see("Block Benjamin?")
        try ada.press("Block")
        try ada.see("Blocked: their calls don’t ring here")
        try ada.seeNoMore("Video call with Benjamin")
        let earlier = notifications.shown.count
        try ben.press("Video call with Ada")
        try ben.see("Ringing…")
        ben.screenshot("friends-blocked")
        let limit = Instant.now + .seconds(90)
        while !ben.shows("Nobody answered the call."), Instant.now < limit {
            #expect(!ada.shows("Incoming"), "a blocked call rings")
            usleep(500_000)
        }
        try ben.see("Nobody answered the call.")
        #expect(notifications.shown.count == earlier, "a blocked call is told of")
        #expect(!(ada.shows("Missed") || ada.shows("missed")))
        try ben.press("Back to the contacts")
        try ben.see("Video call with Ada")
    }

    private func unblock(_ ada: RunningProgram) throws {
        try ada.choose("Unblock", from: "Menu for Benjamin")
        try ada.see("Benjamin is not blocked any more.")
        try ada.see("Video call with Benjamin")
    }

    private func call(from ben: RunningProgram, to ada: RunningProgram) throws {
        try ben.press("Video call with Ada")
        try ada.see("Incoming video call")
        try ada.see("Benjamin")
        ada.screenshot("friends-incoming")
        try ada.press("Accept with video")
        for person in [ada, ben] {
            try person.see("0:")
            try person.see("Picture of the other person")
        }
        ada.screenshot("friends-call")
        try ada.press("End the call")
        for (person, sentence) in [(ada, "You ended the call."), (ben, "The other person ended the call.")] {
            try person.see(sentence)
            try person.press("Back to the contacts")
            try person.see("Video call with Test call")
        }
    }

    // MARK: Moving and parting

    /// Carries a profile into a file, and on to an empty home.
    private func move(_ ada: RunningProgram) throws -> RunningProgram {
        let file = folder.file("Ada.profile")
        try ada.choose("Preferences", from: "Main menu")
        try ada.turn(to: "Key")
        try ada.press("Move This Profile")
        try ada.see("closed here for good")
        try ada.type(file, into: "File")
        try ada.type("correct horse", into: "Passphrase of the file")
        try ada.type("correct horse", into: "The same again")
        try ada.seeUsable("Move the Profile")
        try ada.press("Move the Profile")
        try ada.see("Your profile has moved")
        #expect(!ada.shows("Video call with Benjamin"))
        ada.screenshot("friends-moved")
        ada.kill()
        _ = ada.exitStatus()
        let former = try program(folder.file("Ada"))
        try former.see("Your profile has moved")
        former.kill()
        _ = former.exitStatus()

        let later = try program(folder.file("elsewhere"))
        try later.see("Step 1 of 4")
        try later.press("Bring a Profile")
        try later.type(file, into: "File")
        try later.type("correct horse", into: "Passphrase of the file")
        try later.press("Bring It Here")
        try later.see("Video call with Benjamin")
        try ProgramWindows(of: later).seeColour(Self.colour, in: "Parley")
        try later.choose("Messages", from: "Menu for Benjamin")
        try later.see("Benjamin: Until six")
        try ProgramWindows(of: later).close("Messages")
        return later
    }

    private func part(_ ada: RunningProgram, _ ben: RunningProgram) throws {
        try ada.choose("Remove", from: "Menu for Benjamin")
        try ada.see("Benjamin was removed.")
        try ada.seeNoMore("Video call with Benjamin")
        try ben.see("They have removed you from their contacts")
        #expect(!ben.shows("Video call with Ada"))
        try ben.choose("Details", from: "Menu for Ada")
        try ben.see("Nothing more will come of this contact.")
        ben.screenshot("friends-parted")
        try ben.press("Remove Contact")
        try ben.see("Ada was removed.")
        try ben.seeNoMore("Menu for Ada")
    }
}
