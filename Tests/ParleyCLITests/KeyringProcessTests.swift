import Foundation
import TestSupport
import Testing

/// The program with a real keyring on a bus of its own, or with none.
@Suite(.serialized, .timeLimit(.minutes(5))) struct KeyringProcessTests {
    private static let keyring = "/usr/bin/gnome-keyring-daemon"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["home", "run", "data"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    /// Runs a script with `$cli` and `$profile`, an open keyring on a new bus, and the word `lock` to lock it.
    private func withKeyring(_ script: String) async throws -> [String] {
        let text = """
            set -eu
            printf secret | \(Self.keyring) --unlock --components=secrets >/dev/null 2>&1
            lock() {
                gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets \\
                    --method org.freedesktop.Secret.Service.Lock "['/org/freedesktop/secrets/collection/login']" >/dev/null
            }
            secrets() {
                gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets \\
                    --method org.freedesktop.Secret.Service.SearchItems "{'xdg:schema': 'im.parley.StoreKey'}"
            }
            \(script)
            """
        let process = try ChildProcess(
            "/usr/bin/env",
            [
                "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "DBUS_SESSION_BUS_ADDRESS",
                "HOME=\(folder.file("home"))",
                "XDG_RUNTIME_DIR=\(folder.file("run"))", "XDG_DATA_HOME=\(folder.file("data"))",
                "cli=\(ChildProcess.built("parley-cli"))", "profile=\(profile)", "folder=\(folder.path)",
                "dbus-run-session",
                "--", "bash", "-c", text,
            ], folder: folder.path)
        #expect(try await process.exitStatus() == 0, "\(process.lines) \(process.errors)")
        return process.lines
    }

    /// Runs the program where there is no bus.
    private func run(_ arguments: String...) async throws -> (status: Int32, lines: [String], errors: [String]) {
        let process = try ChildProcess(
            "/usr/bin/env",
            [
                "-u", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR=\(folder.file("run"))",
                ChildProcess.built("parley-cli"),
            ]
                + arguments + ["--profile", profile], folder: folder.path)
        let status = try await process.exitStatus()
        return (status, process.lines, process.errors.split(separator: "\n").map(String.init))
    }

    private var profile: String { folder.file("profile") }
    private var files: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: profile)) ?? [])
    }

    private func passphrase(_ text: String, in name: String = "passphrase") throws -> String {
        try "\(text)\n".write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        return folder.file(name)
    }

    private static let inKeyring = "The key of the profile is in the keyring."
    private static let obstacle: String? =
        FileManager.default.isExecutableFile(atPath: keyring)
        ? nil : "GNOME Keyring is not installed (package gnome-keyring)."

    @Test(.needs(obstacle)) func `a new key lives in the keyring and opens the profile again`() async throws {
        let lines = try await withKeyring(
            """
            "$cli" key --profile "$profile"
            "$cli" contacts --profile "$profile"
            secrets
            """)
        #expect(lines.prefix(2) == [Self.inKeyring, "There are no contacts yet."])
        #expect(try #require(lines.last).contains("collection/login/1"))
        #expect(files == ["agent.sqlite", "agent.witness", "key.json", "lock"])
    }

    @Test(.needs(obstacle)) func `a key file moves into the keyring and the store still opens`() async throws {
        let first = try await run("key")
        #expect(first.status == 0)
        #expect(first.errors.count == 1)
        #expect(try #require(first.errors.first).hasPrefix("There is no keyring"))
        #expect(files.contains("store.key"))
        let second = try await run("key")
        #expect(second.errors.isEmpty)
        let lines = try await withKeyring(#""$cli" key --profile "$profile""#)
        #expect(lines == [Self.inKeyring])
        #expect(!files.contains("store.key"))
        // The keyring is gone with its bus: the profile stays closed, and nothing new is made.
        let closed = try await run("key")
        #expect(closed.status == 1)
        #expect(
            closed.errors == [
                "Error: The profile's key is not within reach: There is no keyring (Secret Service) in this session."
            ])
        #expect(files == ["agent.sqlite", "agent.witness", "key.json", "lock"])
    }

    @Test(.needs(obstacle)) func `a locked keyring closes its profiles and takes no new key`() async throws {
        let lines = try await withKeyring(
            """
            "$cli" key --profile "$profile"
            lock
            "$cli" key --profile "$profile" 2>&1 || echo "status $?"
            "$cli" key --profile "$folder/other" 2>&1
            "$cli" key --profile "$folder/third" --keyring 2>&1 || echo "status $?"
            """)
        let locked = "Error: The profile's key is not within reach: The keyring is locked; unlock it and try again."
        #expect(lines.filter { $0 == locked }.count == 2)
        #expect(lines.filter { $0 == "status 1" }.count == 2)
        #expect(
            lines.contains {
                $0.hasPrefix("The keyring is locked; unlock it and try again. The key of this profile lies")
            })
        #expect(FileManager.default.fileExists(atPath: folder.file("other/store.key")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("third/agent.sqlite")))
    }

    @Test(.needs(obstacle)) func `a key moves from the keyring under a passphrase`() async throws {
        let file = try passphrase("correct horse")
        let lines = try await withKeyring(
            """
            "$cli" key --profile "$profile"
            "$cli" key --profile "$profile" --to passphrase --new-passphrase-file "\(file)"
            secrets
            """)
        #expect(try #require(lines.last) == "(@ao [], @ao [])")
        #expect(
            try await run("key", "--passphrase-file", file).lines == [
                "The key of the profile is sealed with a passphrase."
            ])
    }

    @Test func `a passphrase opens and another or none does not`() async throws {
        let right = try passphrase("correct horse")
        let wrong = try passphrase("battery staple", in: "wrong")
        #expect(try await run("contacts", "--passphrase-file", right).status == 0)
        #expect(!files.contains("store.key"))
        #expect(try await run("contacts", "--passphrase-file", right).status == 0)
        let refused = try await run("contacts", "--passphrase-file", wrong)
        #expect(refused.status == 1)
        #expect(refused.errors == ["Error: The passphrase is wrong."])
    }

    /// Whoever gets at the memory of the program, or at a dump of it, finds no passphrase.
    @Test func `the passphrase does not stay in memory`() async throws {
        let secret = (0..<32).map { _ in String(UInt8.random(in: 0...255), radix: 16) }.joined()
        let file = try passphrase(secret)
        let listening = try ChildProcess(
            ChildProcess.built("parley-cli"), ["listen", "--profile", profile, "--passphrase-file", file],
            folder: folder.path)
        _ = try await listening.line { $0.hasPrefix("Waiting") }
        let memory = try ProcessMemory(of: listening.processID)
        // What is known to be there shows that the search finds things.
        #expect(try memory.contains(Array(profile.utf8)))
        #expect(try !memory.contains(Array(secret.utf8)))
        listening.signal(SIGINT)
        _ = try await listening.exitStatus()
    }
}
