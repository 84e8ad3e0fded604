import MediaRules
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct ArgumentTests {
    @Test(arguments: [
        (
            ["--profile", "B", "--relay", "R", "listen", "--json"],
            ["listen", "--profile", "B", "--relay", "R", "--json"]
        ),
        (["--json", "call", "Bob", "--for", "3"], ["call", "--json", "Bob", "--for", "3"]),
        (
            ["--private-routing", "always", "--profile", "B", "listen"],
            ["listen", "--private-routing", "always", "--profile", "B"]
        ),
        (["--profile=B", "contacts"], ["contacts", "--profile=B"]),
        (["call", "listen", "--profile", "B"], ["call", "listen", "--profile", "B"]),
        (["--help"], ["--help"]), ([], []),
    ])
    func theCommandComesFirst(_ written: [String], _ read: [String]) throws {
        #expect(try ArgumentOrder.commandFirst(written) == read)
    }

    @Test(arguments: [["--profile"], ["--profile", "B"], ["--json", "--relay", "R"]])
    func optionsWithoutACommandAreAMistake(_ written: [String]) {
        #expect(throws: CommandLineMistake.self) { try ArgumentOrder.commandFirst(written) }
    }

    @Test func aSourceIsTestNoneAFileOrAName() {
        #expect(SourceArgument(argument: "test") == .test)
        #expect(SourceArgument(argument: "none") == SourceArgument.none)
        #expect(SourceArgument(argument: "file:/a b.webm") == .file("/a b.webm"))
        #expect(SourceArgument(argument: "HD Webcam") == .named("HD Webcam"))
        #expect(SourceArgument(argument: "") == nil)
        #expect(SourceArgument(argument: "file:") == nil)
    }

    @Test(arguments: ["-1", "0", "nan", "inf", "1e9", "x", "", "3s"]) func whatIsNoTimeIsRefused(_ text: String) {
        #expect(SecondsArgument(argument: text) == nil)
    }

    @Test func whoCantBeAskedHasNotAgreedToClearMedia() throws {
        #expect(try EncryptionOptions.parse([]).policy(canAsk: true) == .ask)
        #expect(try EncryptionOptions.parse([]).policy(canAsk: false) == .refuse)
        #expect(try EncryptionOptions.parse(["--require-encryption"]).policy(canAsk: true) == .refuse)
    }

    @Test func onlyAYesIsAYes() {
        for yes in ["y", "Y", " yes "] { #expect(EventPrinter.isYes(yes)) }
        for no in ["", "n", "no", "yesterday", "ok", nil] { #expect(!EventPrinter.isYes(no)) }
    }

    @Test func aTimeMayHaveAFraction() {
        #expect(SecondsArgument(argument: "0.5")?.seconds == 0.5)
    }
}
