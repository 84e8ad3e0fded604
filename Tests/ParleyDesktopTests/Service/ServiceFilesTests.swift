import Foundation
import TestSupport
import Testing

/// The files by which the desktop starts Parley, as they are installed.
@Suite(.timeLimit(.minutes(5))) struct ServiceFilesTests {
    /// What is missing to ask systemd; nil when it is there.
    private static var obstacle: String? {
        FileManager.default.isExecutableFile(atPath: analyzer) ? nil : "\(analyzer) is not installed (package systemd)."
    }
    private static let analyzer = "/usr/bin/systemd-analyze"
    private static let data = URL(filePath: #filePath).appending(path: "../../../../data").standardizedFileURL

    /// A file of `data`, as it is installed, with a program that is there.
    private func installed(_ name: String) throws -> String {
        try String(contentsOf: Self.data.appending(path: name + ".in"), encoding: .utf8)
            .replacing("@bindir@/parley", with: "/usr/bin/env")
    }

    @Test(.needs(obstacle)) func `systemd takes the user's unit without a complaint`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("im.parley.Parley.service")
        try installed("im.parley.Parley.unit").write(toFile: file, atomically: true, encoding: .utf8)
        let verify = try ChildProcess(
            "/usr/bin/env",
            [
                "XDG_RUNTIME_DIR=" + folder.path, "SYSTEMD_UNIT_PATH=\(folder.path):/usr/lib/systemd/user",
                Self.analyzer,
                "--user", "--recursive-errors=no", "verify", file,
            ], folder: folder.path)
        #expect(try await verify.exitStatus() == 0)
        #expect(verify.lines.isEmpty && verify.errors.isEmpty, "\(verify.lines) \(verify.errors)")
    }

    @Test func `the bus starts the unit, and without systemd the same program`() throws {
        let unit = try installed("im.parley.Parley.unit").split(separator: "\n")
        let service = try installed("im.parley.Parley.service").split(separator: "\n")
        #expect(service.contains("SystemdService=im.parley.Parley.service"))
        #expect(service.contains("Name=im.parley.Parley") && unit.contains("BusName=im.parley.Parley"))
        let commands = (unit + service).filter { $0.contains("/usr/bin/env") }
        #expect(commands == ["ExecStart=/usr/bin/env --service", "Exec=/usr/bin/env --service"])
    }
}
