import Foundation
import TestSupport
import Testing

/// A profile goes to another machine and comes back, with the real program on both.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class MovingDesktopTests: DesktopSuite {
    @Test func `a profile is moved to another machine and back`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Ada.profile")
        let here = try program(folder.file("here"), "--name", "Ada")
        try here.see("Video call with Test call")
        try here.choose("Your profile", from: "Main menu")
        try here.see("Ada", in: "Name")
        try here.type("At sea", into: "About you")
        try here.press("Save")
        try here.seeNoMore("Choose Picture")
        try move(here, to: file)
        try here.see("Your profile has moved")
        try here.see(file)
        #expect(!here.shows("Video call with Test call"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("here/agent.sqlite")))
        #expect(FileManager.default.fileExists(atPath: file))
        here.screenshot("moved")
        #expect(here.accessible.namelessButtons == [])
        here.kill()
        _ = here.exitStatus()
        let later = try program(folder.file("here"))
        try later.see("Your profile has moved")

        let there = try program(folder.file("there"), welcomes: true)
        try there.see("Step 1 of 4")
        try there.press("Bring a Profile")
        try there.see("Choose the file that")
        try there.type(file, into: "File")
        try there.type("wrong horse", into: "Passphrase of the file")
        there.screenshot("bring-profile")
        #expect(there.accessible.namelessButtons == [])
        try there.press("Bring It Here")
        try there.see("The passphrase is wrong.")
        #expect(FileManager.default.fileExists(atPath: file))
        try there.type("correct horse", into: "Passphrase of the file")
        try there.press("Bring It Here")
        try there.see("Video call with Test call")
        #expect(!there.shows("Step 1 of 4"))
        #expect(!FileManager.default.fileExists(atPath: file))
        try there.choose("Your profile", from: "Main menu")
        try there.see("Ada", in: "Name")
        try there.see("At sea", in: "About you")

        try move(there, to: file)
        try there.see("Your profile has moved")
        try later.press("Bring a Profile")
        try later.see(file, in: "File")
        try later.type("correct horse", into: "Passphrase of the file")
        try later.press("Bring It Here")
        try later.see("Video call with Test call")
    }

    @Test func `a profile is brought beside one that stays open`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Ada.profile")
        let here = try program(folder.file("here"), "--name", "Ada")
        try here.see("Video call with Test call")
        try move(here, to: file)
        try here.see("Your profile has moved")

        let there = try RunningProgram(
            ["--key-file", "--name", "Ben", "--camera", "test", "--microphone", "test"],
            environment: ["XDG_DATA_HOME": folder.file("there")])
        try there.see("Video call with Test call")
        try there.choose("Profiles", from: "Main menu")
        there.screenshot("profiles-bring")
        #expect(there.accessible.namelessButtons == [])
        try there.press("Bring a Profile from Another Machine")
        try there.see("Choose the file that")
        try there.type(file, into: "File")
        try there.type("correct horse", into: "Passphrase of the file")
        try there.press("Bring It Here")
        try there.see("Ada – Parley")
        try there.see("Video call with Test call")
        #expect(!FileManager.default.fileExists(atPath: file))
        try there.choose("Profiles", from: "Main menu")
        try there.see("Show the profile Ben")
        try there.see("Close the profile Ben")
        there.screenshot("profiles-brought")
        let list = { (try? String(contentsOfFile: folder.file("there/parley-profiles.json"), encoding: .utf8)) ?? "" }
        try wait("the list") { list().contains(#""name":"Ada""#) && list().contains(#""name":"Ben""#) }
    }

    @Test func `a profile that cannot be moved stays open`() throws {
        let folder = try TemporaryFolder()
        let parley = try program(folder.file("here"), "--name", "Ada")
        try parley.see("Video call with Test call")
        try Data("a".utf8).write(to: URL(fileURLWithPath: folder.file("taken")))
        try move(parley, to: folder.file("taken"))
        try parley.see("There is a file")
        #expect(parley.shows("Video call with Test call"), "it was closed for nothing")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("taken"))) == Data("a".utf8))
        parley.screenshot("move-failed")
    }

    /// Goes through the preferences to the button that begins.
    private func move(_ parley: RunningProgram, to file: String) throws {
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Key")
        try parley.press("Move This Profile")
        try parley.see("closed here for good")
        try parley.type(file, into: "File")
        try parley.type("correct horse", into: "Passphrase of the file")
        #expect(!parley.canPress("Move the Profile"), "a passphrase that was typed once")
        try parley.type("correct horse", into: "The same again")
        try parley.seeUsable("Move the Profile")
        parley.screenshot("move-profile")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Move the Profile")
    }

    private func program(_ folder: String, _ words: String..., welcomes: Bool = false) throws -> RunningProgram {
        try RunningProgram(
            ["--profile", folder, "--key-file", "--camera", "test", "--microphone", "test"] + words,
            welcomes: welcomes)
    }
}
