import Foundation
import TestSupport
import Testing

/// Mistakes on the command line: one sentence, the usage, a status that is not 0.
@Suite(.timeLimit(.minutes(5))) struct MistakeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) async throws -> (status: Int32, lines: [String], errors: [String]) {
        let process = try ChildProcess(ChildProcess.built("parley-cli"), arguments, folder: folder.path)
        let status = try await process.exitStatus()
        return (status, process.lines, process.errors.split(separator: "\n").map(String.init))
    }

    @Test func `sentences are in the person's language`() async throws {
        let (program, language) = try Catalogue(["The command is missing.": "Mankas ordono."]).install(
            with: ChildProcess.built("parley-cli"), in: folder.path)
        let process = try ChildProcess(
            "/usr/bin/env", language.map { "\($0)=\($1)" } + [program, "--profile", "X"], folder: folder.path)
        #expect(try await process.exitStatus() == 64)
        #expect(process.errors.hasPrefix("Error: Mankas ordono.\n"), "\(process.errors)")
    }

    private static let relay = "smp://\(String(repeating: "A", count: 43))=@127.0.0.1:1"

    @Test(arguments: [
        (["dance"], "dance"), (["--profile", "X"], "command"), (["invite"], "--profile"),
        (["call", "--profile", "X"], "NAME"), (["--profile", "X", "connect"], "LINK"),
        (["contacts", "--profile"], "--profile"), (["contacts", "--profile", ""], "--profile"),
        (["--profile", "X", "call", "Bob", "--for", "soon"], "soon"), (["test-call", "--for", "0"], "--for"),
        (["test-call", "--relay", "smp://nowhere"], "smp://nowhere"),
        (["test-call", "--for", "nan"], "nan"), (["test-call", "--camera", "file:/no/such/file"], "/no/such/file"),
        (["--profile", "X", "--relay", "http://example.org", "invite"], "http://example.org"),
        (["--profile", "X", "listen", "--accept", "--decline"], "--decline"),
        (["--profile", "X", "listen", "--loud"], "--loud"), (["--profile", "X", "contacts", "extra"], "extra"),
        (["--profile", "X", "invite", "--short", "--full"], "--short"),
        (["--profile", "X", "contacts", "--keyring", "--key-file"], "--keyring"),
        (["--profile", "X", "contacts", "--passphrase-file", "/no/such/file"], "/no/such/file"),
        (["--profile", "X", "key", "--to", "moon"], "moon"), (["--profile", "X", "accept"], "NAME"),
    ])
    func `a mistake gets one sentence and the usage`(_ arguments: [String], _ word: String) async throws {
        let (status, lines, errors) = try await run(arguments.map { $0 == "X" ? folder.file("X") : $0 })
        #expect(status == 64)
        #expect(lines.isEmpty)
        let sentence = try #require(errors.first)
        #expect(sentence.hasPrefix("Error: "))
        #expect(sentence.contains(word), "\(sentence)")
        #expect(errors.contains { $0.lowercased().hasPrefix("usage: parley-cli") }, "\(errors)")
    }

    @Test(arguments: [
        (["connect", "https://example.org"], "link"), (["connect", "simplex:/invitation#/?v=2"], "link"),
        (["call", "Zoe"], "“Zoe”"), (["rotate", "Zoe"], "“Zoe”"), (["resync", "Zoe"], "“Zoe”"),
        (["accept", "Zoe"], "request"),
    ])
    func `a mistake that shows later gets one sentence and the usage too`(_ arguments: [String], _ word: String)
        async throws
    {
        let (status, lines, errors) = try await run(
            ["--profile", folder.file("X"), "--relay", Self.relay, "--key-file", "--json"] + arguments)
        #expect(status == 64)
        #expect(try lines.map(Event.init).map(\.name).filter { $0 != "relay" } == ["error"])
        #expect(try #require(errors.first).contains(word), "\(errors)")
        #expect(errors.contains { $0.lowercased().hasPrefix("usage: parley-cli") }, "\(errors)")
    }

    @Test func `a first start without a relay asks for one`() async throws {
        let (status, _, errors) = try await run(["--profile", folder.file("X"), "--key-file", "invite"])
        #expect(status == 64)
        #expect(try #require(errors.first).contains("--relay"))
    }

    @Test func `a folder that cannot be used is named`() async throws {
        let (status, _, errors) = try await run(["--profile", "/proc/nowhere", "contacts"])
        #expect(status == 1)
        #expect(errors.count == 1)
        #expect(try #require(errors.first).contains("/proc/nowhere"))
    }

    @Test func `a profile without contacts has none`() async throws {
        let (status, lines, errors) = try await run(["contacts", "--json", "--key-file", "--profile", folder.file("X")])
        #expect(status == 0)
        #expect(lines.isEmpty)
        #expect(errors.isEmpty)
    }

    @Test func `without anything the help is shown`() async throws {
        let (status, lines, _) = try await run([])
        #expect(status == 0)
        for command in [
            "test-call", "invite", "connect", "address", "requests", "accept", "reject", "contacts", "status", "listen",
            "call", "rotate", "resync", "key", "doctor",
        ] {
            #expect(lines.contains { $0.contains("  \(command)  ") }, "\(command)")
        }
    }

    @Test func `a program in the background of a shell hears SIGINT`() async throws {
        let program = ChildProcess.built("parley-cli")
        let profile = folder.file("X")
        let shell = try ChildProcess(
            "/bin/bash", ["-c", "\"\(program)\" listen --profile \"\(profile)\" & echo $!; wait $!; echo $?", "x"],
            folder: folder.path)
        let processID = try #require(Int32(try await shell.line { Int32($0) != nil }))
        _ = try await shell.line { $0.hasPrefix("Waiting") }
        kill(processID, SIGINT)
        // An asynchronous command of a shell begins with SIGINT ignored; the program listens to it all the same.
        #expect(try await shell.exitStatus() == 0)
        #expect(shell.lines.last == "130")
    }
}
