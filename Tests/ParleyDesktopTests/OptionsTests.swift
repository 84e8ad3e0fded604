import MediaRules
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct OptionsTests {
    @Test func `nothing means the usual profile`() throws {
        #expect(try Options.parse([]) == Options())
    }

    @Test func `a profile folder is taken`() throws {
        #expect(try Options.parse(["--profile", "/tmp/ada"]).profile == "/tmp/ada")
    }

    @Test func `where the key is can be said`() throws {
        #expect(try Options.parse(["--passphrase-file", "/tmp/line"]).passphraseFile == "/tmp/line")
        #expect(try Options.parse(["--key-file"]).keepsKeyInFile)
        #expect(try !Options.parse([]).keepsKeyInFile)
    }

    @Test func `being without a window is asked for in two ways`() throws {
        #expect(try Options.parse(["--service"]).isService)
        #expect(try Options.parse(["--background"]).isInBackground)
        #expect(try !Options.parse([]).isService)
    }

    @Test func `sources are read as parley-cli reads them`() throws {
        #expect(try Options.parse(["--camera", "Desk Camera"]).camera == .named("Desk Camera"))
        #expect(try Options.parse(["--microphone", "none"]).microphone == SourceArgument.none)
        #expect(try Options.parse(["--screen", "file:/a.webm"]).screen == .file("/a.webm"))
    }

    @Test(arguments: [
        ["--profile"], ["--profile", ""], ["--nonsense"], ["file"], ["--fake-calls"], ["--camera", "file:"],
        ["--microphone", "file:"], ["--screen", "none"], ["--screen", "Monitor"],
    ])
    func `mistakes are one sentence`(words: [String]) {
        #expect {
            try Options.parse(words)
        } throws: { error in
            "\(error)".hasSuffix(".") && !"\(error)".contains("\n")
        }
    }
}
