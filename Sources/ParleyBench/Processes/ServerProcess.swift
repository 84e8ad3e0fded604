import BaseKit
import Foundation
import SMP

/// A relay, or its stand-in, in a process of its own; it ends with this object's `stop` or with this program.
final class ServerProcess: Sendable {
    let address: RelayAddress
    let identifier: Int32
    private let process: Lock<Process>

    /// All that run, to be ended when this program is.
    private static let running = Lock<Set<Int32>>([])

    private init(address: RelayAddress, process: Process) {
        self.address = address
        identifier = process.processIdentifier
        Self.running.withLock { _ = $0.insert(process.processIdentifier) }
        self.process = Lock(process)
    }

    /// Starts a program whose first line of output is `relay smp://…`.
    static func start(_ program: URL, _ arguments: [String]) throws(BenchError) -> ServerProcess {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { throw .programFailed("\(error)") }
        let line = firstLine(of: output.fileHandleForReading)
        guard line.hasPrefix("relay "), let address = try? RelayAddress(parsing: String(line.dropFirst("relay ".count)))
        else {
            process.terminate()
            throw .programFailed(line.isEmpty ? "it said nothing" : line)
        }
        return ServerProcess(address: address, process: process)
    }

    /// Asks the process to end and waits until it has.
    func stop() {
        process.withLock { process in
            process.terminate()
            process.waitUntilExit()
        }
        Self.running.withLock { _ = $0.remove(identifier) }
    }

    /// Ends all at once, for a run that is interrupted.
    static func stopAll() {
        for identifier in running.withLock({ $0 }) { kill(identifier, SIGTERM) }
    }

    private static func firstLine(of file: FileHandle) -> String {
        var line: [UInt8] = []
        while line.count < 1_000, let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// Programs beside this one.
enum Programs {
    static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    /// The relay program, in the folder of this one.
    static func relay(_ path: String?) throws(BenchError) -> URL {
        if let path {
            guard FileManager.default.isExecutableFile(atPath: path) else { throw .programMissing(path) }
            return URL(fileURLWithPath: path)
        }
        let program = own.deletingLastPathComponent().appendingPathComponent("parley-relay")
        guard FileManager.default.isExecutableFile(atPath: program.path) else { throw .programMissing("parley-relay") }
        return program
    }
}

/// A folder that is gone after use.
struct TemporaryFolder: ~Copyable {
    let path: String

    init(in parent: String?) throws(BenchError) {
        let base = parent.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        let folder = base.appendingPathComponent("parley-bench-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .disk("\(folder.path) can't be made") }
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
