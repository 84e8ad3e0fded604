import BaseKit
import Foundation
import Synchronization

/// A program started by a test, with its output in files.
///
/// It starts with an empty signal mask, unlike children of Foundation's `Process`, which inherit the mask of the dispatch
/// worker that starts them and then don't hear SIGTERM. It is killed when the object goes, and at the latest at the end of the tests.
public final class ChildProcess: Sendable {
    /// What a test waited for in vain.
    public enum Failure: Error, CustomStringConvertible {
        case cannotStart(program: String, error: Int32)
        case noSuchLine(output: String, errors: String)
        case stillRunning(output: String, errors: String)

        public var description: String {
            switch self {
            case .cannotStart(let program, let error):
                "\(program) can't be started: \(String(cString: strerror(error)))"
            case .noSuchLine(let output, let errors): "No such line came. Output:\n\(output)\nErrors:\n\(errors)"
            case .stillRunning(let output, let errors): "It runs still. Output:\n\(output)\nErrors:\n\(errors)"
            }
        }
    }

    public let processID: Int32
    private let outputPath: String
    private let errorPath: String
    private let status = Mutex<Int32?>(nil)

    /// Those that nobody has waited for yet.
    private static let running = Mutex<Set<pid_t>>([])
    private static let endsWithTests: Void = {
        atexit { for processID in ChildProcess.running.withLock({ $0 }) { kill(processID, SIGKILL) } }
    }()

    /// Starts a program.
    /// - Parameters:
    ///   - program: Its path.
    ///   - folder: Where the files with its output are made; it must exist.
    public init(_ program: String, _ arguments: [String] = [], folder: String) throws {
        let name = folder + "/" + UUID().uuidString
        outputPath = name + ".out"
        errorPath = name + ".err"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // A child must not inherit what other tests left open, such as the sockets of a media session just closing.
        for descriptor in 3..<Int32(1_024) { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let texts = ([program] + arguments).map { strdup($0) }
        defer { for text in texts { free(text) } }
        var processID: pid_t = 0
        let error = posix_spawn(&processID, program, &actions, &attributes, texts + [nil], environ)
        guard error == 0 else { throw Failure.cannotStart(program: program, error: error) }
        self.processID = processID
        Self.endsWithTests
        _ = Self.running.withLock { $0.insert(processID) }
    }

    deinit {
        guard status.withLock({ $0 }) == nil else { return }
        kill(processID, SIGKILL)
        var status: Int32 = 0
        waitpid(processID, &status, 0)
        forget()
    }

    private func forget() { _ = Self.running.withLock { $0.remove(processID) } }

    /// A program built together with the tests.
    public static func built(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        return FileManager.default.currentDirectoryPath + "/.build/debug/" + name
    }

    // MARK: Its output

    /// The complete lines on its standard output so far.
    public var lines: [String] {
        let text = Self.text(outputPath)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Its standard error so far.
    public var errors: String { Self.text(errorPath) }

    /// Waits for the first line on the standard output that `isWanted`.
    public func line(
        within limit: Duration = .seconds(60), where isWanted: (String) -> Bool
    ) async throws -> String {
        let end = Instant.now + limit
        while true {
            // In this order, so that the last lines of a program that has ended are seen.
            let hasEnded = poll() != nil
            if let line = lines.first(where: isWanted) { return line }
            guard !hasEnded, Instant.now < end else {
                throw Failure.noSuchLine(output: Self.text(outputPath), errors: errors)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    // MARK: Its end

    /// Sends a signal.
    public func signal(_ number: Int32) {
        status.withLock { if $0 == nil { _ = kill(processID, number) } }
    }

    /// Whether it has not ended yet.
    public var isRunning: Bool { poll() == nil }

    /// Waits until it ends. A program that a signal ended has the status 128 + signal, as a shell says it.
    public func exitStatus(within limit: Duration = .seconds(60)) async throws -> Int32 {
        let end = Instant.now + limit
        while true {
            if let status = poll() { return status }
            guard Instant.now < end else {
                throw Failure.stillRunning(output: Self.text(outputPath), errors: errors)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until it ends, on this thread: for commands that are over at once.
    public func waitForEnd() -> Int32 {
        while true {
            if let status = poll() { return status }
            usleep(2_000)
        }
    }

    private func poll() -> Int32? {
        status.withLock { known in
            if known != nil { return known }
            var status: Int32 = 0
            guard waitpid(processID, &status, WNOHANG) == processID else { return nil }
            forget()
            known = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
            return known
        }
    }
}

/// The whole text of a file of the kernel's, such as those in `/proc`.
///
/// Foundation believes the size that such a file announces, or stops at the first short read, and cuts the text.
public func kernelFile(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(descriptor, &block, block.count)
        guard count > 0 else { return String(decoding: content, as: UTF8.self) }
        content += block[..<count]
    }
}
