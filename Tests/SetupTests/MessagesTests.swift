import Foundation
import TestSupport
import Testing

/// The extraction of sentences and the check of their translations, on sources made up for it.
@Suite(.timeLimit(.minutes(5))) struct MessagesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ path: String) throws {
        let file = URL(fileURLWithPath: folder.file(path))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func run(_ options: [String] = []) async throws -> (status: Int32, lines: [String], errors: String) {
        let command = Vectors.repository.appendingPathComponent("meson-helpers/messages").path
        let process = try ChildProcess(command, options + [folder.path], folder: folder.path)
        return (try await process.exitStatus(within: .seconds(60)), process.lines, process.errors)
    }

    /// The messages of the template, without their files.
    private func extracted(_ source: String) async throws -> [String] {
        try write(source, "Sources/Sea/Ship.swift")
        #expect(try await run().status == 0)
        return try String(contentsOfFile: folder.file("po/parley.pot"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("msgid") && $0 != "msgid \"\"" }
    }

    /// Extracts this source, which has one sentence, and gives German this entry of it.
    private func translate(_ source: String, _ entry: String) async throws {
        let header = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
        let plurals = "\"Language: de\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"
        try write(source, "Sources/Sea/Ship.swift")
        try write("de\n", "po/LINGUAS")
        try write(header + plurals + "\n" + entry, "po/de.po")
        #expect(try await run().status == 0)
    }

    @Test(arguments: [
        (#"tr("The ship sinks.")"#, [#"msgid "The ship sinks.""#]),
        (#"let a: Line = .tr("%1$s of %2$s", a, "b")"#, [#"msgid "%1$s of %2$s""#]),
        ("tr(\n    \"The ship\", name)", [#"msgid "The ship""#]),
        (#"tr("“\"a\"\\n\n\u{2026}\u{1F600}\u{e9}'")"#, [#"msgid "“\"a\"\\n\n…😀é'""#]),
        (
            "tr(\n    \"\"\"\n    The ship \\\n    \"sinks\".\n      Now.\n    \"\"\")",
            [#"msgid "The ship \"sinks\".\n  Now.""#]
        ),
        (
            #"tr("%s ship", plural: "%s ships", count: ships(of: "a", tr("b")))"#,
            [#"msgid "b""#, #"msgid "%s ship""#, #"msgid_plural "%s ships""#]
        ),
        (#"tr(name.isEmpty ? "a" : b)"#, []), (#"attr("a"); tr("b") // tr("c")"#, [#"msgid "b""#]),
        (#""a \(tr("b", "c \(tr("d"))"))""#, [#"msgid "d""#, #"msgid "b""#]), (#"tr("a"); tr("a")"#, [#"msgid "a""#]),
    ])
    func `a sentence is extracted as the compiler reads it`(source: String, messages: [String]) async throws {
        guard !messages.isEmpty else {
            try write(source, "Sources/Sea/Ship.swift")
            let outcome = try await run()
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("Sources/Sea/Ship.swift:1: tr needs a literal as its first word"))
            return
        }
        #expect(try await extracted(source).sorted() == messages.sorted())
    }

    @Test(arguments: [
        #"tr("a \(b)")"#, #"tr("a" + b)"#, ##"tr(#"a"#)"##, #"tr("a \0")"#, #"tr(sentences[0])"#,
        #"tr("a", plural: b, count: 2)"#,
    ])
    func `what can't be extracted is named with its place`(source: String) async throws {
        try write("\n" + source, "Sources/Sea/Ship.swift")
        let outcome = try await run()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Sources/Sea/Ship.swift:2: tr "))
    }

    @Test func `what windows and the menu say is extracted`() async throws {
        try write("tr(\"a\")", "Sources/Sea/Ship.swift")
        let label =
            "<property name=\"label\" translatable=\"yes\">_Sink…</property><property name=\"name\">b</property>"
        try write(
            "<interface><object class=\"GtkLabel\">\(label)</object></interface>", "resources/ui/ship.ui")
        try write("[Desktop Entry]\nType=Application\nName=Sea\nExec=sea\n", "data/sea.desktop")
        #expect(try await run().status == 0)
        let template = try String(contentsOfFile: folder.file("po/parley.pot"), encoding: .utf8)
        #expect(template.contains("#: resources/ui/ship.ui\nmsgid \"_Sink…\"\n"))
        #expect(template.contains("#: data/sea.desktop\nmsgid \"Sea\"\n"))
        #expect(!template.contains("\"b\""))
    }

    @Test func `a new sentence and one that is gone are named`() async throws {
        try await translate("tr(\"The ship\")", "msgid \"The ship\"\nmsgstr \"Das Schiff\"\n")
        #expect(try await run(["--check"]).status == 0)
        try write("tr(\"The boat\")", "Sources/Sea/Ship.swift")
        let outcome = try await run(["--check"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.contains("po/parley.pot lacks: The boat"))
        #expect(outcome.lines.contains("po/parley.pot has what is not in the sources: The ship"))
        #expect(outcome.lines.contains("po/de.po: is not translated: The boat"))
    }

    @Test(arguments: [
        ("", "is not translated"), ("msgstr \"\"", "is not translated"),
        ("msgstr \"Schiffe %1$s\"", "has other insertions than its translation"),
        ("msgstr \"%1$s ohne\"", "has other insertions than its translation"),
        ("msgstr \"%2$s %1$s %s\"", "has other insertions than its translation"),
        ("msgstr \"%2$s in %1$s\"", "begins or ends with other spaces than its translation"),
    ])
    func `a sentence that is not translated rightly is named`(translation: String, problem: String) async throws {
        let entry = translation.isEmpty ? "" : "msgid \"%1$s in %2$s \"\n\(translation)\n"
        let words = problem.contains("insertions") ? entry.replacing(/"\n$/, with: " \"\n") : entry
        try await translate("tr(\"%1$s in %2$s \", a, b)", words)
        let outcome = try await run(["--check"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.first == "po/de.po: \(problem): %1$s in %2$s ")
    }

    @Test func `a translation that is marked as fuzzy does not count`() async throws {
        try await translate("tr(\"The ship\")", "#, fuzzy\nmsgid \"The ship\"\nmsgstr \"Das Boot\"\n")
        let outcome = try await run(["--check"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.contains("po/de.po: is marked as fuzzy: The ship"))
    }

    @Test(arguments: [
        (["Ein Schiff", "%s Schiffe"], true), (["%s Schiff", "%s Schiffe"], true), (["%s Schiff", "Schiffe"], false),
        (["%s Schiff", ""], false),
    ])
    func `a singular may leave its number out, a plural may not`(forms: [String], isRight: Bool) async throws {
        let entry =
            "msgid \"one ship\"\nmsgid_plural \"%s ships\"\nmsgstr[0] \"\(forms[0])\"\nmsgstr[1] \"\(forms[1])\"\n"
        try await translate("tr(\"one ship\", plural: \"%s ships\", count: 2, 2)", entry)
        #expect(try await run(["--check"]).status == (isRight ? 0 : 1))
    }

    @Test func `a second run changes nothing`() async throws {
        try await translate("tr(\"The ship\")", "msgid \"The ship\"\nmsgstr \"Das Schiff\"\n")
        let files = ["po/parley.pot", "po/de.po"]
        let first = try files.map { try String(contentsOfFile: folder.file($0), encoding: .utf8) }
        #expect(try await run().status == 0)
        #expect(try files.map { try String(contentsOfFile: folder.file($0), encoding: .utf8) } == first)
        #expect(first[1].contains("msgstr \"Das Schiff\""))
    }
}
