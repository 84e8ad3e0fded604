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

    @Test(arguments: [["--profile"], ["--profile", ""], ["--nonsense"], ["file"], ["--fake-calls"]])
    func `mistakes are one sentence`(words: [String]) {
        #expect {
            try Options.parse(words)
        } throws: { error in
            "\(error)".hasSuffix(".") && !"\(error)".contains("\n")
        }
    }
}
