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
    func `the command comes first`(_ written: [String], _ read: [String]) throws {
        #expect(try ArgumentOrder.commandFirst(written) == read)
    }

    @Test(arguments: [["--profile"], ["--profile", "B"], ["--json", "--relay", "R"]])
    func `options without a command are a mistake`(_ written: [String]) {
        #expect(throws: CommandLineMistake.self) { try ArgumentOrder.commandFirst(written) }
    }

    @Test func `a source is test none a file or a name`() {
        #expect(SourceArgument(argument: "test") == .test)
        #expect(SourceArgument(argument: "none") == SourceArgument.none)
        #expect(SourceArgument(argument: "file:/a b.webm") == .file("/a b.webm"))
        #expect(SourceArgument(argument: "HD Webcam") == .named("HD Webcam"))
        #expect(SourceArgument(argument: "") == nil)
        #expect(SourceArgument(argument: "file:") == nil)
    }

    @Test(arguments: ["-1", "0", "nan", "inf", "1e9", "x", "", "3s"]) func `what is no time is refused`(_ text: String)
    {
        #expect(SecondsArgument(argument: text) == nil)
    }

    @Test func `who can't be asked has not agreed to clear media`() throws {
        #expect(try EncryptionOptions.parse([]).policy(canAsk: true) == .ask)
        #expect(try EncryptionOptions.parse([]).policy(canAsk: false) == .refuse)
        #expect(try EncryptionOptions.parse(["--require-encryption"]).policy(canAsk: true) == .refuse)
    }

    @Test func `only a yes is a yes`() {
        for yes in ["y", "Y", " yes "] { #expect(EventPrinter.isYes(yes)) }
        for no in ["", "n", "no", "yesterday", "ok", nil] { #expect(!EventPrinter.isYes(no)) }
    }

    @Test func `a time may have a fraction`() {
        #expect(SecondsArgument(argument: "0.5")?.seconds == 0.5)
    }
}
