import Foundation
import TestSupport
import Testing

/// What desktops and software centres read of `data/`, asked of their own tools: as it stands there, and as it is installed with the
/// sentences of `po/`.
@Suite(.needs(DesktopFileTools.obstacle), .timeLimit(.minutes(5))) struct DesktopFileTests {
    private static let entry = "im.parley.Parley.desktop"
    private static let metainfo = "im.parley.Parley.metainfo.xml"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ words: String...) async throws -> (status: Int32, said: String) {
        // appstreamcli keeps a cache.
        let process = try ChildProcess(
            "/usr/bin/env", ["HOME=\(folder.path)", "LC_ALL=C.UTF-8"] + words, folder: folder.path)
        let status = try await process.exitStatus(within: .seconds(60))
        return (status, process.lines.joined(separator: "\n") + process.errors)
    }

    private static func data(_ name: String) -> String {
        Vectors.repository.appendingPathComponent("data/\(name)").path
    }

    /// A file of `data/` with one text in place of another.
    private func damaged(_ name: String, _ text: String, _ other: String) throws -> String {
        let good = try String(contentsOfFile: Self.data(name), encoding: .utf8)
        try #require(good.contains(text))
        let file = folder.file(name)
        try good.replacing(text, with: other).write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// A file of `data/` as meson installs it.
    private func translated(_ name: String, as kind: String) async throws -> String {
        let file = folder.file(name)
        let outcome = try await run(
            "msgfmt", kind, "--template=\(Self.data(name))", "-d", Vectors.repository.appendingPathComponent("po").path,
            "-o",
            file)
        try #require(outcome.status == 0, "\(outcome.said)")
        return file
    }

    /// A warning is no failure to it.
    private func isValid(entry file: String) async throws -> (Bool, String) {
        let outcome = try await run("desktop-file-validate", file)
        return (outcome.status == 0 && !outcome.said.contains("warning:"), outcome.said)
    }

    private func isValid(metainfo file: String) async throws -> (Bool, String) {
        let outcome = try await run("appstreamcli", "validate", "--no-net", "--strict", file)
        let faults = outcome.said.split(separator: "\n").filter { line in
            ["E: ", "W: ", "I: "].contains { line.contains($0) } && !Self.admitted.contains { line.hasSuffix($0) }
        }
        // A file that can't be read at all has no line of that kind.
        let isRead = outcome.status == 0 || Self.admitted.contains { outcome.said.contains($0) }
        return (isRead && faults.isEmpty, outcome.said)
    }

    /// What AppStream 1.0 (Debian 13) finds: the project has no home page yet, and the element that is to name the developer is
    /// one that 0.16 (Debian 12) takes for a fault.
    private static let admitted = ["url-homepage-missing", "developer-name-tag-deprecated", "developer-info-missing"]

    @Test func `every file that is meant is looked at`() throws {
        let all = try FileManager.default.subpathsOfDirectory(atPath: Self.data(""))
        #expect(
            all.filter { $0.contains(".desktop") || $0.contains("metainfo") }.sorted() == [Self.entry, Self.metainfo])
    }

    @Test func `the menu entry is valid`() async throws {
        let (isValid, said) = try await isValid(entry: Self.data(Self.entry))
        #expect(isValid, "\(said)")
    }

    @Test func `the menu entry is valid with its translations`() async throws {
        let file = try await translated(Self.entry, as: "--desktop")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("Comment[de]="))
        let (isValid, said) = try await isValid(entry: file)
        #expect(isValid, "\(said)")
    }

    @Test func `what software centres show is valid`() async throws {
        let (isValid, said) = try await isValid(metainfo: Self.data(Self.metainfo))
        #expect(isValid, "\(said)")
    }

    @Test func `what software centres show is valid with its translations`() async throws {
        let file = try await translated(Self.metainfo, as: "--xml")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("xml:lang=\"de\""))
        let (isValid, said) = try await isValid(metainfo: file)
        #expect(isValid, "\(said)")
    }

    @Test(arguments: [
        ("Type=Application", "Type=Programme"), ("Terminal=false", "Terminal=no"), ("Exec=parley", "Excec=parley"),
    ])
    func `a fault in the menu entry is found`(text: String, fault: String) async throws {
        #expect(try await !isValid(entry: damaged(Self.entry, text, fault)).0)
    }

    @Test(arguments: [
        ("<id>im.parley.Parley</id>", "<id>im parley</id>"), ("CC0-1.0", "GPL-3.0-only"), ("</ul>", ""),
        ("2026-11-21", "a day in autumn"),
    ])
    func `a fault in what software centres show is found`(text: String, fault: String) async throws {
        #expect(try await !isValid(metainfo: damaged(Self.metainfo, text, fault)).0)
    }
}

/// The programs that ``DesktopFileTests`` asks.
private enum DesktopFileTools {
    static var obstacle: String? {
        ["desktop-file-validate", "appstreamcli", "msgfmt"].first { name in
            !(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
                .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }.map { "\($0) is missing." }
    }
}
