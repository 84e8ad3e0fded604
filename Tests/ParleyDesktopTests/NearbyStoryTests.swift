import Foundation
import TestSupport
import Testing

/// Two newcomers at two machines of one network, from an empty home to a call, without any server but the relays inside their programs.
@Suite(.windows, .needs(AvahiTown.obstacle), .serialized, .timeLimit(.minutes(5)))
final class NearbyStoryTests: DesktopSuite {
    private var town: AvahiTown!

    override init() throws {
        try super.init()
        town = try blocking { try await AvahiTown() }
    }

    @Test func `two newcomers find each other, compare their code and call`() throws {
        let ada = try newcomer("Ada", at: town.first)
        let ben = try newcomer("Ben", at: town.second)

        try lookAround(ada)
        try lookAround(ben)
        try ada.see("Connect with Ben")
        try ben.press("Connect with Ada")
        try ada.see("Compare with Ben")
        try ben.see("Compare with Ada")
        #expect(try ada.seeDigits(atLeast: 6) == ben.seeDigits(atLeast: 6))
        ada.screenshot("newcomers-code")
        try ada.press("It Matches")
        try ada.see("Waiting for the other person…")
        #expect(!ben.shows("Video call with Ada"), "one of them has not answered yet")
        try ben.press("It Matches")
        try ada.see("Video call with Ben")
        try ben.see("Video call with Ada")
        for person in [ada, ben] {
            try person.seeNoMore("It Matches")
            try person.seeNoMore("Create link")
        }
        ben.screenshot("newcomers-contacts")

        try ada.press("Video call with Ben")
        try ada.see("Ringing…")
        try ben.see("Incoming video call")
        try ben.press("Accept with video")
        for person in [ada, ben] {
            try person.see("0:")
            try person.see("Picture of the other person")
        }
        ben.screenshot("newcomers-call")
        try ben.press("End the call")
        try ben.see("You ended the call.")
        try ada.see("The other person ended the call.")
    }

    /// Starts the program on a machine and goes through its welcome; people in this network reach the person then.
    private func newcomer(_ name: String, at machine: AvahiTown.Machine) throws -> RunningProgram {
        let words =
            machine.prefix + [
                try RunningProgram.program().path, "--profile", town.folder.file(name), "--camera", "test",
                "--microphone", "test",
            ]
        let parley = try RunningProgram(Array(words.dropFirst()), program: URL(filePath: words[0]))
        atEnd { parley.kill() }
        try Newcomer.introduce(name, to: parley)
        try parley.flip("Let people in this network reach me")
        try parley.see("At present people in this network reach you.")
        parley.screenshot("newcomers-reach")
        try parley.press("Done")
        try parley.see("Ready to call")
        return parley
    }

    private func lookAround(_ person: RunningProgram) throws {
        try person.press("Add a contact")
        try person.press("Nearby…")
        try person.see("Looking for people nearby…")
    }
}
