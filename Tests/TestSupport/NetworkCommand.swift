import Foundation

/// Commands that make networks of a test's own: `ip`, `nft`, `sysctl`.
public enum NetworkCommand {
    /// What did not succeed.
    public struct Failure: Error {
        public let command: String
    }

    /// Runs a command of few words; true when it succeeds.
    @discardableResult public static func run(_ command: String) -> Bool {
        guard let folder = try? TemporaryFolder(),
            let process = try? ChildProcess(
                "/usr/bin/env",
                ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] + command.split(separator: " ").map(String.init),
                folder: folder.path)
        else { return false }
        return process.waitForEnd() == 0
    }

    /// Runs commands, one after the other, up to the first that fails.
    public static func run(all commands: [String]) throws {
        for command in commands where !run(command) { throw Failure(command: command) }
    }
}
