import Foundation
import TestSupport
import Testing

/// The windows in German, from the catalogue of `po/`.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class GermanDesktopTests: DesktopSuite {
    @Test func `the real program speaks German`() throws {
        let folder = try RunningProgram.emptyFolder().path
        let parley = try german(RunningProgram.program(), ["--profile", folder])
        try parley.see("Schritt 1 von 4")
        try parley.see("Willkommen bei Parley")
        parley.screenshot("german-welcome")
        #expect(!parley.shows("Welcome to Parley"))
    }

    @Test func `the real program's contacts are German`() throws {
        let folder = try RunningProgram.emptyFolder().path
        let relay = try ReachableRelay(of: self)
        let parley = try german(
            RunningProgram.program(), ["--no-welcome", "--profile", folder, "--relay", relay.address])
        try parley.see("Kontakte")
        try parley.see("Nimmt jeden Anruf an und sendet Bild und Ton zurück")
        try parley.see("Videoanruf mit Testanruf")
        parley.screenshot("german-first")
        #expect(!parley.shows("Contacts"))
        try parley.press("Kontakt hinzufügen")
        try parley.press("Link erstellen")
        try parley.see("Menü für Neuer Kontakt")
        #expect(!(parley.shows("Test call") || parley.shows("New contact")))
    }

    @Test func `contacts and calls are German`() throws {
        let parley = try german(RunningProgram.fakeCalls(), ["--pause", "100", "--log", "8"])
        try parley.see("Kontakte")
        try parley.see("Ein Relais auf dem Weg ist nicht erreichbar")
        parley.screenshot("german-contacts")
        try parley.turn(to: "Anrufe")
        try parley.see("Verpasster Anruf")
        parley.screenshot("german-calls")
        #expect(!parley.shows("Missed call"))
        #expect(!(parley.shows("AM") || parley.shows("PM")))
    }

    @Test func `a call is German`() throws {
        let parley = try german(RunningProgram.fakeCalls(), ["--pause", "100", "--calls-wait"])
        try parley.press("Videoanruf mit Test call")
        try parley.see("Mikrofon stummschalten")
        parley.screenshot("german-call")
        try parley.press("Anruf beenden")
        try parley.see("Erneut anrufen")
        parley.screenshot("german-ended")
    }

    @Test func `each page of the preferences is German`() throws {
        let parley = try german(RunningProgram.fakeCalls(), ["--pause", "100", "--calls-wait"])
        try parley.choose("Einstellungen", from: "Hauptmenü")
        try parley.see("Mikrofon testen")
        parley.screenshot("german-devices")
        for page in ["Mitteilungen", "Anrufprotokoll", "Netzwerk", "Schlüssel"] {
            try parley.turn(to: page)
            parley.screenshot("german-preferences-\(page)")
        }
        try parley.see("Schlüssel Ihres Profils")
    }

    @Test func `a contact is added in German`() throws {
        let parley = try german(RunningProgram.fakeCalls(), ["--pause", "100", "--calls-wait"])
        try parley.press("Kontakt hinzufügen")
        parley.screenshot("german-add-contact")
        try parley.press("Link erstellen")
        try parley.see("Sie können dieses Fenster schließen.")
        parley.screenshot("german-invitation")
        #expect(!parley.shows("Create link"))
    }

    /// Starts such a program with the German catalogue beside it.
    private func german(_ program: URL, _ words: [String]) throws -> RunningProgram {
        let prefix = try RunningProgram.emptyFolder()
        atEnd { try? FileManager.default.removeItem(at: prefix) }
        let (copy, language) = try Catalogue.install(program.path, in: prefix.path, speaking: "de")
        return try RunningProgram(words, environment: language, program: URL(filePath: copy))
    }
}
