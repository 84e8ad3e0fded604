import Foundation
import TestSupport
import Testing

/// A small disk of its own for one profile, in a mount namespace of its own.
private final class SmallDisk: Sendable {
    let path: String
    private let holder: ChildProcess

    /// - Throws: where the system lets nobody make namespaces.
    init(_ path: String, folder: TemporaryFolder) async throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let script = "mount -t tmpfs -o size=4m,mode=700 tmpfs \"$0\" && echo mounted && exec sleep 600"
        holder = try ChildProcess(
            "/usr/bin/env", ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, path],
            folder: folder.path)
        _ = try await holder.line { $0 == "mounted" }
    }

    /// Starts `parley-cli` where the disk is.
    func start(_ arguments: [String], folder: TemporaryFolder) throws -> ChildProcess {
        let enter = ["nsenter", "--target", "\(holder.processID)", "--user", "--mount", "--preserve-credentials"]
        return try ChildProcess(
            "/usr/bin/env", enter + [ChildProcess.built("parley-cli")] + arguments, folder: folder.path)
    }

    private var filler: String { "/proc/\(holder.processID)/root\(path)/filler" }

    /// Takes all room that is left.
    func fill() throws {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 7, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
        try #require(errno == ENOSPC)
    }

    /// Gives it back.
    func free() throws { try FileManager.default.removeItem(atPath: filler) }
}

/// A profile whose disk is full for one call and then is not.
@Suite(
    .timeLimit(.minutes(5)),
    .onlyWhere(UserNamespace.canMount, UserNamespace.refusal))
struct FullDiskProcessTests {
    @Test func `a call after the disk was full arrives at once`() async throws {
        let town = try await Town()
        let disk = try await SmallDisk(town.folder.file("B"), folder: town.folder)
        let inviting = try town.start(town.profile("A") + ["invite", "--json"])
        let link = try #require(try Event(try await inviting.event("link").line)["link"] as? String)
        let connecting = try disk.start(town.profile("B") + ["connect", link, "--json"], folder: town.folder)
        #expect(try await connecting.exitStatus() == 0, "\(connecting.errors)")
        #expect(try await inviting.exitStatus() == 0, "\(inviting.errors)")

        let media = ["--json", "--camera", "none", "--microphone", "test"]
        let callee = try disk.start(town.profile("B") + ["listen", "--accept"] + media, folder: town.folder)
        try await callee.event("listening")
        let first = try town.start(town.profile("A") + ["call", "B", "--audio"] + media)
        try await callee.event("firstFrame")
        try disk.fill()
        // The end of the call comes in and can't be stored.
        first.signal(SIGINT)
        #expect(try await first.exitStatus() == 0, "\(first.errors)")
        try await waitUntil("the person is told") {
            // What SQLite gives back is taken, too.
            try disk.fill()
            return callee.lines.contains { $0.contains("\"event\":\"storage\"") && $0.contains("failing") }
        }
        try disk.free()
        _ = try await callee.line { $0.contains("\"event\":\"storage\"") && $0.contains("working") }
        try await callee.event("summary")

        for _ in 0..<2 {
            let next = try town.start(town.profile("A") + ["call", "B", "--audio", "--for", "1"] + media)
            #expect(try await next.exitStatus() == 0, "\(next.errors)")
            #expect(try await next.event("summary")["result"] as? String == "completed")
        }
        let storage = callee.lines.filter { $0.contains("\"event\":\"storage\"") }
        #expect(storage.count == 2, "\(storage)")
        callee.signal(SIGTERM)
        _ = try await callee.exitStatus()
    }
}
