import Foundation
import SMP
import SMPSession
import SMPTransport
import TestSupport
import Testing

/// The commands of an operator, by the built program.
@Suite(.timeLimit(.minutes(5))) struct OperatorTests {
    private func run(_ arguments: [String]) throws -> (status: Int32?, complaints: String, line: String) {
        let process = try RelayProcess(arguments)
        let line = process.line()
        let complaints = process.complaints()
        return (process.exitStatus, complaints, line)
    }

    @Test(.timeLimit(.minutes(1))) func `a running relay is asked and drained`() async throws {
        try await withState { state in
            let relay = try RelayProcess(["--listen", "127.0.0.1:0", "--state", state])
            let connection = try await RelayConnection.connect(to: relay.address())
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            let attributes = try FileManager.default.attributesOfItem(atPath: state + "/relay.control")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try run(["block", "198.51.100.7", "--state", state]).line == "done")
            // The second one is written with a hyphen at its beginning.
            for first: UInt8 in [0x00, 0xfb] {
                let id = EntityID([first] + [UInt8](repeating: 7, count: EntityID.count - 1))
                let unknown = try run(["unblock", id.description, "--state", state])
                #expect(unknown.status != 0)
                #expect(unknown.complaints.contains("There is no such queue."))
            }
            #expect(try run(["unblock", "198.51.100.7", "198.51.100.8", "--state", state]).status != 0)
            #expect(try run(["queues", "--state", state]).status == 0)
            let drained = try run(["drain", "--seconds", "0", "--state", state])
            #expect(drained.line.contains("takes no more connections"))
            _ = relay.complaints()
            #expect(relay.exitStatus == 0)
            #expect(try run(["queues", "--state", state]).complaints.contains("No relay answers at"))
        }
    }

    @Test func `a target that is none is told before a relay is looked for`() throws {
        #expect(
            try run(["block", "nonsense", "--state", "/nonexistent"]).complaints.contains("neither the id of a queue"))
    }
}
