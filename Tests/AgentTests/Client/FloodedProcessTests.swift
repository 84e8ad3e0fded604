import Foundation
import SMP
import TestSupport
import Testing

/// What a relay that sends without end costs a program in memory.
@Suite(.timeLimit(.minutes(5))) struct FloodedProcessTests {
    /// In bytes.
    private static let allowed = 32 << 20
    /// Of 16 kB each: 48 MB in one flood.
    private static let messages = 3_000
    private static let floods = 4
    private static let body = [UInt8](repeating: 7, count: SMPLimits.sealedMessageBody)

    private let folder = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true) }

    private func start(_ arguments: String..., at relay: HostileRelay) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.built("parley-cli"),
            ["--profile", folder.path + "/profile", "--relay", "\(relay.address)", "--key-file"] + arguments,
            folder: folder.path)
    }

    /// The most memory that a process had at a time, in bytes.
    private func peak(of process: ChildProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1_024
    }

    @Test(arguments: [true, false])
    func `a relay that floods costs a program at most 32 MB`(isAboutItsQueues: Bool) async throws {
        let relay = try await HostileRelay()
        let making = try start("address", at: relay)
        try #require(try await making.exitStatus() == 0, "\(making.errors)")
        let program = try start("listen", at: relay)
        defer { program.signal(SIGKILL) }
        try await waitUntil("the program to subscribe") { !relay.subscribed.isEmpty }
        let before = try peak(of: program)
        for round in 1...Self.floods {
            let sessions = relay.sessionCount
            let messages = { @Sendable (count: Int) in
                (0..<count).map { _ in BrokerMessage.message(.random(), body: Self.body) }
            }
            if !isAboutItsQueues { relay.sendAboutNothing(messages(Self.messages)) }
            relay.send { _ in messages(isAboutItsQueues ? Self.messages : 2) }
            // It hangs up, and comes again as to any relay.
            try await waitUntil("connection \(round + 1)") {
                relay.sessionCount > sessions && !relay.subscribed.isEmpty
            }
        }
        let cost = try peak(of: program) - before
        #expect(cost < Self.allowed, "\(before >> 20) MiB before, \(cost >> 10) KiB more after \(Self.floods) floods")
        program.signal(SIGTERM)
        _ = try await program.exitStatus()
        await relay.stop()
    }
}
