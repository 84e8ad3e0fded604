import Foundation

/// The tests that were not run because something is missing here.
public enum SkippedTests {
    /// Whether a missing program is a failure: in continuous integration every test has to run.
    public static var areFailures: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }

    /// Whether an obstacle names a package that this release of the system has not got at all, as the set-up has found out (`PARLEY_ABSENT`).
    static func isAbsentHere(_ obstacle: String, _ environment: [String: String] = ProcessInfo.processInfo.environment)
        -> Bool
    {
        (environment["PARLEY_ABSENT"] ?? "").split(separator: " ").contains { obstacle.contains("(package \($0))") }
    }

    /// Adds a line to the file that `PARLEY_SKIPPED` names, if it does; meson-helpers/test shows it at its end.
    public static func note(_ test: String, _ reason: String) {
        guard let path = ProcessInfo.processInfo.environment["PARLEY_SKIPPED"] else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let line = Array("\(test): \(reason)\n".utf8)
        _ = write(descriptor, line, line.count)
    }
}

/// What a test needs and does not find, where that is a failure.
public struct Missing: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}
