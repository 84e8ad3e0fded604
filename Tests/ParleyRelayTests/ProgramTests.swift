import Foundation
import SMP
import SMPTransport
import TestSupport
import Testing

/// Runs the built program.
struct ProgramTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func printsItsAddressServesAndStopsCleanly(signal: Int32) async throws {
        try await withState { state in
            let relay = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state])
            let line = relay.line()
            #expect(line.hasPrefix("relay smp://"))
            let address = try RelayAddress(text: String(line.dropFirst("relay ".count)))
            #expect(address.port != 0)
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            relay.end(signal)
            #expect(relay.exitStatus == 0)
        }
    }

    @Test func keepsItsIdentityOverRestarts() async throws {
        try await withState { state in
            var hashes: [[UInt8]] = []
            for _ in 0..<2 {
                let relay = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state])
                let address = try relay.address()
                hashes.append(address.keyHash)
                relay.end(SIGTERM)
            }
            #expect(hashes[0] == hashes[1])
        }
    }

    @Test(arguments: [[], ["--listen", "nonsense", "--state", "x"], ["--state", "x", "--quota", "0"], ["--bogus"]])
    func mistakesGetOneSentenceAndTheUsage(arguments: [String]) throws {
        let relay = try RelayProcess(arguments)
        let errors = relay.complaints()
        #expect(relay.exitStatus ?? 0 != 0)
        #expect(errors.hasPrefix("Error: "))
        #expect(errors.lowercased().contains("usage: parley-relay"))
    }

    @Test func aBusyPortIsNamed() async throws {
        try await withState { state in
            let first = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state])
            let address = try first.address()
            let second = try RelayProcess([
                "--listen", "127.0.0.1:\(address.port ?? 0)", "--state", state + "/second",
            ])
            let errors = second.complaints()
            #expect(second.exitStatus ?? 0 != 0)
            #expect(errors.contains("can't listen"))
            first.end(SIGTERM)
        }
    }
}
