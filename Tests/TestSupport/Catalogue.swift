import Foundation

/// Translated sentences in the form that gettext reads (GNU gettext manual, "The Format of GNU MO Files").
public struct Catalogue {
    private let sentences: [(original: String, translated: String)]

    public init(_ sentences: [String: String]) {
        // The empty one is the header; originals are sorted.
        let header = ["": "Content-Type: text/plain; charset=UTF-8\n"]
        self.sentences = sentences.merging(header) { $1 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var bytes: Data {
        let count = sentences.count
        let (originals, translations) = (28, 28 + 8 * count)
        var texts = Data()
        var tables: [UInt32] = []
        for text in sentences.map(\.original) + sentences.map(\.translated) {
            tables += [UInt32(text.utf8.count), UInt32(28 + 16 * count + texts.count)]
            texts += Data(text.utf8) + [0]
        }
        let head: [UInt32] = [0x9504_12DE, 0, UInt32(count), UInt32(originals), UInt32(translations), 0, 0]
        return (head + tables).reduce(into: Data()) { bytes, word in
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        } + texts
    }

    /// Copies a program into a folder as it is installed, with this catalogue, for a language of its own: for C.UTF-8 the C library
    /// (2.41) looks at no catalogue, and another locale need not be there.
    ///
    /// - Parameter language: Another language of which the libraries below have catalogues, such as one from right to left.
    /// - Returns: the copy, and what it must have in its environment to speak that language.
    public func install(with program: String, in prefix: String, as language: String = "eo") throws -> (
        program: String, environment: [String: String]
    ) {
        let words = prefix + "/share/locale/\(language)/LC_MESSAGES"
        try FileManager.default.createDirectory(atPath: words, withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: words + "/parley.mo"))
        return try Self.install(program, speaking: language, in: prefix)
    }

    /// Copies a program into a folder as it is installed, with the catalogues of `po/`, for one of their languages.
    public static func install(_ program: String, in prefix: String, speaking language: String) throws -> (
        program: String, environment: [String: String]
    ) {
        let process = try Process.run(
            Vectors.repository.appending(path: "meson-helpers/messages"),
            arguments: ["--compile", prefix + "/share/locale"])
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotCompiled() }
        return try install(program, speaking: language, in: prefix)
    }

    /// meson-helpers/messages made no catalogues, and has said why.
    struct NotCompiled: Error {}

    private static func install(_ program: String, speaking language: String, in prefix: String) throws -> (
        program: String, environment: [String: String]
    ) {
        let (programs, locales) = (prefix + "/bin", prefix + "/locales")
        let files = FileManager.default
        for folder in [programs, locales] {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try files.copyItem(atPath: "/usr/lib/locale/C.utf8", toPath: locales + "/\(language).utf8")
        let copy = programs + "/" + URL(filePath: program).lastPathComponent
        try files.copyItem(atPath: program, toPath: copy)
        return (copy, ["LOCPATH": locales, "LC_ALL": "\(language).UTF-8", "LANGUAGE": language])
    }
}
