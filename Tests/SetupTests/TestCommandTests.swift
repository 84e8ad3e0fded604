import Foundation
import TestSupport
import Testing

/// The test command, with a toolchain that pretends.
@Suite(.timeLimit(.minutes(5))) struct TestCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Six targets: one that skips a test, one that ends with a trap, one after it, one that takes long, and two of values alone.
    private static let swift = """
        #!/bin/bash
        figures() { echo "<testsuite name=\\"TestResults\\" errors=\\"0\\" tests=\\"$1\\" failures=\\"0\\" skipped=\\"0\\">" >"$2"; }
        for word in "$@"; do
            if [[ ${before:-} == --xunit-output ]]; then file=$word; fi
            before=$word
        done
        case "$*" in
        --version*) echo "Swift version 99.0" ;;
        *--show-bin-path) dirname "$0" ;;
        *" list "*) printf '%s/a()\\n' AlphaTests.One BetaTests.Two GammaTests.Three MediaTests.Four \\
                BaseKitTests.Five WordingTests.Six ;;
        *Alpha*)
            echo "Alpha: no camera" >>"$PARLEY_SKIPPED"
            # What failed is found in a text without colors alone.
            figures "${NO_COLOR:+7}" "$file"
            ;;
        *Beta*) kill -ABRT $$ ;;
        *Gamma*) figures 3 "$file" ;;
        *Media*) figures 100 "$file" ;;
        *BaseKitTests?WordingTests*) figures 20 "$file" ;;
        esac
        """

    private func run(_ arguments: [String]) async throws -> (status: Int32, lines: [String], errors: String) {
        let programs = [
            "swift": Self.swift, "ParleyPackageTests.xctest": Self.swift,
            "dbus-run-session": "#!/bin/bash\nshift\nexec \"$@\"",
            "xvfb-run": "#!/bin/bash\nshift 5\nexec \"$@\"", "gst-inspect-1.0": "#!/bin/bash",
        ]
        for (name, text) in programs {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file(name))
        }
        let path = "PATH=\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let command = Vectors.repository.appendingPathComponent("meson-helpers/test").path
        let process = try ChildProcess(
            "/usr/bin/env", [path, "PARLEY_SKIP_PACKAGES=1", command] + arguments, folder: folder.path)
        return (try await process.exitStatus(within: .seconds(120)), process.lines, process.errors)
    }

    @Test func `a target that ends with a trap fails alone, and what was skipped is said`() async throws {
        let outcome = try await run([])
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasSuffix("test: failed: BetaTests.\n"))
        let figures = outcome.lines.filter { $0.hasSuffix(" failures") }
            .map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            figures == [
                "MediaTests 100 tests, 0 failures", "values 20 tests, 0 failures", "AlphaTests 7 tests, 0 failures",
                "BetaTests 0 tests, 0 failures",
                "GammaTests 3 tests, 0 failures",
            ])
        #expect(outcome.lines.contains("  Alpha: no camera"))
        #expect(outcome.lines.contains("130 tests, 1 skipped."))
    }

    @Test func `an answer that is wanted soon leaves out the targets that take long`() async throws {
        let outcome = try await run(["--quick"])
        #expect(outcome.errors.hasSuffix("test: failed: BetaTests.\n"))
        #expect(outcome.lines.contains("30 tests, 1 skipped."))
        #expect(!outcome.lines.contains { $0.hasPrefix("MediaTests") })
    }

    @Test func `what is asked for is run alone`() async throws {
        let outcome = try await run(["--filter", "Gamma"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.last == "3 tests, 0 skipped.")
        #expect(!outcome.lines.contains { $0.contains("camera") })
    }

    @Test func `no test at all is a failure`() async throws {
        let outcome = try await run(["--filter", "Nothing"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasSuffix("no test was run.\n"))
    }
}
