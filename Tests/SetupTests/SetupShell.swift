import Foundation
import TestSupport

/// `meson-helpers/setup` in a shell of its own, with programs of the test's in place of the machine's.
struct SetupShell {
    /// What a command said and how it ended.
    struct Outcome {
        let status: Int32
        let lines: [String]
        let errors: String
    }

    private let folder: TemporaryFolder
    private var variables: [String: String] = [:]

    /// A system that says of itself that it is `system`, such as `debian`.
    init(system: String = "debian") throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("programs"), withIntermediateDirectories: true)
        try "ID=\(system)\n".write(toFile: folder.file("os-release"), atomically: true, encoding: .utf8)
        variables["PARLEY_OS_RELEASE"] = folder.file("os-release")
    }

    /// Puts a program written for bash before the machine's.
    func program(_ name: String, _ script: String) throws {
        let file = folder.file("programs/\(name)")
        try "#!/bin/bash\n\(script)\n".write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }

    /// dpkg knows only packages that are asked for by name `package`, in these states, one line a state and architecture.
    func dpkg(knows package: String, as states: [String]) throws {
        try program("dpkg", "[[ $1 == --print-architecture ]] && echo amd64")
        // As the real one it fills in the format it is given.
        try program(
            "dpkg-query",
            """
            while [[ $# -gt 1 ]]; do [[ $1 == -f ]] && format=$2; shift; done
            if [[ $1 != \(package) || -z "\(states.joined())" ]]; then
                echo "dpkg-query: no packages found matching $1" >&2
                exit 1
            fi
            while read -r state architecture; do
                line=${format//'${db:Status-Status}'/$state}
                printf "${line//'${Architecture}'/$architecture}"
            done <<'END'
            \(states.joined(separator: "\n"))
            END
            """)
    }

    /// Runs a command after the set-up was sourced.
    func run(_ command: String) async throws -> Outcome {
        let settings = variables.map { "\($0)=\($1)" }
        let path = "PATH=\(folder.file("programs")):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let setup = Vectors.repository.appendingPathComponent("meson-helpers/setup").path
        let process = try ChildProcess(
            // What is not to be had where the tests run is nothing of the system that they pretend.
            "/usr/bin/env",
            ["-u", "PARLEY_ABSENT"] + settings + [path, "bash", "-c", "source \"$1\"; \(command)", "setup", setup],
            folder: folder.path)
        let status = try await process.exitStatus(within: .seconds(120))
        return Outcome(status: status, lines: process.lines, errors: process.errors)
    }
}
