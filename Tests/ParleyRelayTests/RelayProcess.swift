import Foundation
import SMP
import TestSupport

/// A running `parley-relay`, made with `posix_spawn` and waited for without a run loop.
final class RelayProcess {
    struct SpawnFailure: Error { let code: Int32 }

    let identifier: pid_t
    private let output: FileHandle
    private let errors: FileHandle
    private var status: Int32?

    /// - Parameter wrapper: a program with its arguments that is started instead, and becomes the relay.
    init(_ arguments: [String], within wrapper: [String] = []) throws {
        let program = BuiltProgram.named("parley-relay").path
        let output = try Self.pipe()
        let errors = try Self.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
        // A dispatch worker's signal mask would keep SIGTERM from the program.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let command = wrapper + [program] + arguments
        var list = command.map { strdup($0) } + [nil]
        defer { for item in list { free(item) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, command[0], &actions, &attributes, &list, environ)
        close(output.write)
        close(errors.write)
        self.identifier = identifier
        self.output = FileHandle(fileDescriptor: output.read, closeOnDealloc: true)
        self.errors = FileHandle(fileDescriptor: errors.read, closeOnDealloc: true)
        guard code == 0 else { throw SpawnFailure(code: code) }
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { throw SpawnFailure(code: errno) }
        // Programs started by other tests must not hold the ends open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The next line of the output.
    func line() -> String {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) { line += byte }
        return String(decoding: line, as: UTF8.self)
    }

    /// The address in the first line.
    func address() throws -> RelayAddress { try RelayAddress(parsing: String(line().dropFirst("relay ".count))) }

    /// All it complained about, once it has ended.
    func complaints() -> String {
        let text = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
        wait()
        return text
    }

    /// Sends a signal and waits for the end.
    func end(_ signal: Int32) {
        kill(identifier, signal)
        wait()
    }

    /// The exit status; nil while it runs and after death by a signal.
    var exitStatus: Int32? { status.flatMap { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : nil } }

    private func wait() {
        guard status == nil else { return }
        var result: Int32 = 0
        while waitpid(identifier, &result, 0) == -1, errno == EINTR {}
        status = result
    }
}

/// A folder for the length of one test.
func withState(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}
