import Foundation
import TestSupport
import Testing

/// The catalogue of sentences against the programs and the sources, read here in another way than meson-helpers/messages reads them.
@Suite(.timeLimit(.minutes(5))) struct CatalogueTests {
    /// A message of the template.
    private struct Message {
        var files = ""
        var texts: [String] = []
    }

    private static func template() throws -> [Message] {
        let text = try String(contentsOf: Vectors.repository.appending(path: "po/parley.pot"), encoding: .utf8)
        return text.components(separatedBy: "\n\n").dropFirst().map { entry in
            entry.split(separator: "\n").reduce(into: Message()) { message, line in
                if line.hasPrefix("#:") { message.files += line.dropFirst(2) }
                guard line.hasPrefix("msgid"), let quote = line.firstIndex(of: "\"") else { return }
                message.texts.append(unescaped(line[quote...].dropFirst().dropLast()))
            }
        }
    }

    /// What an escaped text of a catalogue or of Swift stands for.
    private static func unescaped(_ text: some StringProtocol) -> String {
        String(text).replacing(#/\\(?:u\{([0-9A-Fa-f]+)\}|(.))/#) { match in
            if let digits = match.1, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) {
                return String(Character(scalar))
            }
            return ["n": "\n", "t": "\t"][match.2 ?? ""] ?? String(match.2 ?? "")
        }
    }

    @Test func `each sentence of the catalogue is in a program, byte for byte`() async throws {
        let folder = try TemporaryFolder()
        var constants: [Data] = []
        for name in ["parley", "parley-cli"] {
            let file = folder.file(name)
            let copying = try ChildProcess(
                "/usr/bin/objcopy", ["-O", "binary", "-j", ".rodata", ChildProcess.built(name), file],
                folder: folder.path)
            #expect(try await copying.exitStatus(within: .seconds(60)) == 0)
            constants.append(try Data(contentsOf: URL(fileURLWithPath: file)))
        }
        let texts = try Self.template().filter { $0.files.contains(" Sources/") }.flatMap(\.texts)
        #expect(texts.count > 800)
        #expect(texts.filter { text in !constants.contains { $0.range(of: Data(text.utf8)) != nil } } == [])
    }

    @Test func `each sentence that the sources ask for is in the catalogue`() throws {
        let known = Set(try Self.template().flatMap(\.texts))
        let folder = Vectors.repository.appending(path: "Sources").path
        let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") }
        let comment = #/(?m)^\s*\/\/.*$/#
        let call = #/\btr\(/#.wordBoundaryKind(.simple)
        let literal = #/\btr\(\s*(?:"""\n(?<lines>[\s\S]*?)\n(?<indentation> *)"""|"(?<words>(?:[^"\\]|\\.)*)")/#
        var count = 0
        var missing: [String] = []
        for name in names {
            let source = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).replacing(comment, with: "")
            let literals = source.matches(of: literal.wordBoundaryKind(.simple))
            // The functions themselves, and what they call each other with.
            let others = ["Wording/Translation.swift": 4, "ParleyCLI/PlainLine.swift": 2][name] ?? 0
            #expect(source.matches(of: call).count == literals.count + others, "\(name)")
            count += literals.count
            missing += literals.map { match in
                if let words = match.words { return Self.unescaped(words) }
                let lines = (match.lines ?? "").split(separator: "\n", omittingEmptySubsequences: false)
                let text = lines.map { $0.dropFirst(match.indentation?.count ?? 0) }.joined(separator: "\n")
                return Self.unescaped(text.replacing("\\\n", with: ""))
            }.filter { !known.contains($0) }
        }
        #expect(count > 800)
        #expect(missing == [])
    }
}
