import Foundation
import TestSupport
import Testing

/// The check for sentences that no translation reaches, on sources made up for it.
@Suite(.timeLimit(.minutes(5))) struct SentenceCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the check over one file, by its path below `Sources`.
    private func check(_ text: String, in path: String = "Sea/Ship.swift") async throws -> (
        status: Int32, lines: [String]
    ) {
        let file = URL(fileURLWithPath: folder.file("Sources/\(path)"))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        let command = Vectors.repository.appendingPathComponent("meson-helpers/check-sentences").path
        let process = try ChildProcess(command, [folder.path], folder: folder.path)
        return (try await process.exitStatus(within: .seconds(60)), process.lines)
    }

    @Test(arguments: [
        ("let a = \"The ship sinks.\"", "The ship sinks."), ("let a = \"“Ada” is sinking\"", "“Ada” is sinking"),
        ("say(ship, tr(name, \"The ship sinks.\"))", "The ship sinks."),
        ("let a = tr(isBig ? \"The ship sinks.\" : \"\")", "The ship sinks."),
        ("let a = \"\\(name) is sinking now.\"", "… is sinking now."),
        ("let a = \"a \\(isBig ? \"The big ship\" : \"\")\"", "The big ship"),
        ("let a = \"\"\"\n    The ship \\\n    sinks.\n    \"\"\"", "The ship sinks."),
        ("let a = name ?? \"Unknown\"", "Unknown"), ("let a = Contact(id: b, name: \"Somebody\")", "Somebody"),
        ("let a = #\"The \"big\" ship\"#", "The \"big\" ship"), ("entry(\"The ship sinks.\")", "The ship sinks."),
    ])
    func `a sentence outside of tr is named with its place`(text: String, sentence: String) async throws {
        let outcome = try await check("\n" + text)
        #expect(outcome.status == 1)
        #expect(
            outcome.lines == ["Sources/Sea/Ship.swift:2: \(sentence)", "Sentences outside of tr(\"…\"): 1."])
    }

    @Test(arguments: [
        "", "// The ship sinks.", "/* The /* old */ ship sinks. */ let a = 1", "let a = tr(\"The ship sinks.\")",
        "let a = tr(\n    \"The %s sinks.\", name)", "let a: Line = .tr(\"The ship sinks.\")",
        "let a = tr(\"The ship sinks.\", plural: \"The ships sink.\", count: 2)",
        "let a = tr(\n    \"\"\"\n    The ship \\\n    sinks.\n    \"\"\")", "let a = \"the ship sinks\"",
        "let a = \"A ship\"", "let a = name ?? \"\"", "let a = name ?? \"LC_ALL\"", "let a = name ?? tr(\"Unknown\")",
        "let a = BusMethod(path: b, name: \"Get\")",
        "logger.info(\"The ship sinks\", metadata: [\"a\": \"\\(a)\"])", "fatalError(\"The ship sinks\")",
        "precondition(isDry, \"The ship \\(name) sinks\")", "@Flag(help: \"Let the ship sink.\") var sinks = false",
        "@Option(help: ArgumentHelp(\"Which ship is to sink.\", valueName: \"A\")) var ship: String",
        "let a = CommandConfiguration(abstract: \"Lets a ship sink.\")", "run(\"SELECT a FROM ship\")",
        "let a = Array(\"The ship’s key\".utf8)",
    ])
    func `what no translation has to reach is not named`(text: String) async throws {
        let outcome = try await check(text)
        #expect(outcome.lines == ["No sentence for people stands outside of tr(\"…\")."])
        #expect(outcome.status == 0)
    }

    @Test func `what operators and developers read is left out`() async throws {
        let sentence = "let a = \"The relay sinks.\""
        #expect(try await check(sentence, in: "ParleyRelay/Sink.swift").status == 0)
        #expect(try await check(sentence, in: "ParleyBench/Sink.swift").status == 0)
        #expect(try await check(sentence, in: "Parley/Sink.swift").status == 1)
    }

    @Test func `an exception that is none any more is named`() async throws {
        let outcome = try await check("let a = \"other\"", in: "Media/Screen/SystemSound.swift")
        #expect(outcome.status == 1)
        #expect(outcome.lines.first?.hasPrefix("Sources/Media/Screen/SystemSound.swift: ") == true)
    }
}
