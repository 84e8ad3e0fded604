import Foundation
import SMP
import SMPTransport
import TestSupport
import Testing

/// Runs the built program.
struct ProgramTests {
    private func launch(_ arguments: [String]) throws -> (process: Process, output: FileHandle, errors: FileHandle) {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = BuiltProgram.named("parley-relay")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return (process, output.fileHandleForReading, errors.fileHandleForReading)
    }

    private func firstLine(_ output: FileHandle) -> String {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) { line += byte }
        return String(decoding: line, as: UTF8.self)
    }

    private func withState(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func printsItsAddressServesAndStopsCleanly(signal: Int32) async throws {
        try await withState { state in
            let relay = try launch(["--listen", "127.0.0.1:0", "--state", state])
            let line = firstLine(relay.output)
            #expect(line.hasPrefix("relay smp://"))
            let address = try RelayAddress(text: String(line.dropFirst("relay ".count)))
            #expect(address.port != 0)
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            kill(relay.process.processIdentifier, signal)
            relay.process.waitUntilExit()
            #expect(relay.process.terminationReason == .exit)
            #expect(relay.process.terminationStatus == 0)
        }
    }

    @Test func keepsItsIdentityOverRestarts() async throws {
        try await withState { state in
            var hashes: [[UInt8]] = []
            for _ in 0..<2 {
                let relay = try launch(["--listen", "127.0.0.1:0", "--state", state])
                let address = try RelayAddress(text: String(firstLine(relay.output).dropFirst("relay ".count)))
                hashes.append(address.keyHash)
                relay.process.terminate()
                relay.process.waitUntilExit()
            }
            #expect(hashes[0] == hashes[1])
        }
    }

    @Test(arguments: [[], ["--listen", "nonsense", "--state", "x"], ["--state", "x", "--quota", "0"], ["--bogus"]])
    func mistakesGetOneSentenceAndTheUsage(arguments: [String]) throws {
        let relay = try launch(arguments)
        let errors = String(decoding: relay.errors.readDataToEndOfFile(), as: UTF8.self)
        relay.process.waitUntilExit()
        #expect(relay.process.terminationStatus != 0)
        #expect(errors.hasPrefix("Error: "))
        #expect(errors.lowercased().contains("usage: parley-relay"))
    }

    @Test func aBusyPortIsNamed() async throws {
        try await withState { state in
            let first = try launch(["--listen", "127.0.0.1:0", "--state", state])
            let address = try RelayAddress(text: String(firstLine(first.output).dropFirst("relay ".count)))
            let second = try launch([
                "--listen", "127.0.0.1:\(address.port ?? 0)", "--state", state + "/second",
            ])
            let errors = String(decoding: second.errors.readDataToEndOfFile(), as: UTF8.self)
            second.process.waitUntilExit()
            #expect(second.process.terminationStatus != 0)
            #expect(errors.contains("can't listen"))
            first.process.terminate()
            first.process.waitUntilExit()
        }
    }
}
