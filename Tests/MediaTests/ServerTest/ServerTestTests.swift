import Foundation
import TestSupport
import Testing

@testable import Media
@testable import MediaRules
@testable import STUN

/// Against a running coturn.
@Suite(
    .serialized, .timeLimit(.minutes(5)), .needs(TURNServer.obstacle))
struct ServerTestTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a STUN server tells the address it sees`() async throws {
        let server = try await TURNServer(folder, login: .secret("between us"))
        let answer = try await ServerTest.run(ICEServer(url: "stun:127.0.0.1:\(server.port)"))
        #expect(try #require(answer.seen).hasPrefix("127.0.0.1:"))
        #expect(answer.relayed == nil)
    }

    @Test(arguments: ["udp", "tcp"])
    func `a TURN server gives an address, which is given back`(transport: String) async throws {
        let server = try await TURNServer(folder, login: .user("ada", password: "pass word"))
        let url = "turn:127.0.0.1:\(server.port)?transport=\(transport)"
        let answer = try await ServerTest.run(ICEServer(url: url, username: "ada", credential: "pass word"))
        #expect(try #require(answer.relayed).hasPrefix("127.0.0.1:"))
        #expect(try #require(answer.seen).hasPrefix("127.0.0.1:"))
        try await waitUntil("the address is given back") {
            server.log.contains { $0.contains("refreshed") && $0.contains("lifetime=0") }
        }
    }

    @Test func `a TURN server over TLS with a shared secret gives one, too`() async throws {
        let authority = try TestAuthority(folder.path)
        let certificate = try authority.issue(["IP:127.0.0.1"])
        let server = try await TURNServer(folder, login: .secret("between us"), certificate: certificate)
        let url = "turns:127.0.0.1:\(server.securePort)"
        let answer = try await ServerTest.run(
            ICEServer(url: url, secret: "between us", authorities: authority.certificate))
        #expect(try #require(answer.relayed).hasPrefix("127.0.0.1:"))
        let error = await #expect(throws: ServerTestError.self) {
            try await ServerTest.run(ICEServer(url: url, secret: "between us"))
        }
        guard case .way(.certificate) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a wrong password is named so`() async throws {
        let server = try await TURNServer(folder, login: .user("ada", password: "right"))
        let place = "127.0.0.1:\(server.port)"
        await #expect(throws: ServerTestError.loginRefused(place)) {
            try await ServerTest.run(ICEServer(url: "turn:\(place)", username: "ada", credential: "wrong"))
        }
    }
}

/// Where nobody answers as a server should.
@Suite(.timeLimit(.minutes(5))) struct ServerTestFailureTests {
    @Test func `a port without a server is named`() async throws {
        // The discard port: nobody is there.
        let error = await #expect(throws: ServerTestError.self) {
            try await ServerTest.run(ICEServer(url: "turn:127.0.0.1:9?transport=tcp", username: "a", credential: "b"))
        }
        guard case .way(.unreachable("127.0.0.1:9", _)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await #expect(throws: ServerTestError.way(.unknownHost("nowhere.invalid"))) {
            try await ServerTest.run(ICEServer(url: "stun:nowhere.invalid"))
        }
    }

    @Test func `a server that says nothing is silent`() async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, length)
                getsockname(descriptor, $0, &length)
            }
        }
        let place = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        await #expect(throws: ServerTestError.silent(place)) {
            try await ServerTest.run(ICEServer(url: "stun:\(place)"))
        }
    }

    @Test func `an answer behind other messages in one piece is found`() async throws {
        let server = try SilentServer { heard in
            guard let question = STUNMessage(decoding: heard) else { return [] }
            var refusal = STUNMessage(.allocate, .error, transaction: question.transaction)
            refusal.add(.errorCode, [0, 0, 4, 86] + Array("Quota".utf8))
            let other = STUNMessage(.binding, .indication, transaction: [UInt8](repeating: 1, count: 12))
            return other.encoded() + other.encoded() + refusal.encoded()
        }
        defer { server.stop() }
        let place = "127.0.0.1:\(server.port)"
        await #expect(throws: ServerTestError.refused(place, 486, reason: "Quota")) {
            try await ServerTest.run(ICEServer(url: "turn:\(place)?transport=tcp", username: "a", credential: "b"))
        }
    }

    @Test func `a server that is written wrong is not asked`() async throws {
        await #expect(throws: ServerTestError.server(.credentials)) {
            try await ServerTest.run(ICEServer(url: "turn:127.0.0.1"))
        }
    }
}
