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

    @Test func `links are taken as they are, beside other words`() throws {
        let links = ["simplex:/invitation#/?v=2-7&smp=a%3Bb", "https://relay.example.org/i#a/b?h=c"]
        #expect(try Options.parse([links[0], "--name", "Ada", links[1]]).links == links)
        #expect(try !Options.parse(links).hasSettings)
    }

    @Test(arguments: [
        ["simplex:/a#b", "--service"], ["--background", "https://example.org/a#b"], ["http://example.org/a#b"],
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
