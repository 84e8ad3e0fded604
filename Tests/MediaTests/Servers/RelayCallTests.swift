import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// The ways to a TURN server.
enum RelayWay: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case udp, tcp, tls

    var testDescription: String { rawValue }

    func server(_ turn: TURNServer, _ name: String, _ password: String, authorities: String) -> ICEServer {
        switch self {
        case .udp:
            ICEServer(url: "turn:\(TURNServer.machineAddress):\(turn.port)", username: name, credential: password)
        case .tcp:
            ICEServer(
                url: "turn:\(TURNServer.machineAddress):\(turn.port)?transport=tcp", username: name,
                credential: password)
        case .tls:
            ICEServer(
                url: "turns:\(TURNServer.machineAddress):\(turn.securePort)", username: name, credential: password,
                authorities: authorities)
        }
    }
}

extension RealMedia {
    /// Calls over a coturn of the test's own.
    @Suite(
        .needs(TURNServer.obstacle),
        .serialized)
    struct RelayCallTests {
        private let folder: TemporaryFolder
        private let authority: TestAuthority

        init() throws {
            folder = try TemporaryFolder()
            authority = try TestAuthority(folder.path)
        }

        private func turn(
            _ login: TURNServer.Login = .user("ann:x", password: "p/=@"),
            names: [String] = ["IP:\(TURNServer.machineAddress)"],
            hasRunOut: Bool = false
        ) async throws -> TURNServer {
            try await TURNServer(
                folder, address: TURNServer.machineAddress, login: login,
                certificate: try authority.issue(names, hasRunOut: hasRunOut))
        }

        /// Two relay-only sessions with these servers.
        private func call(_ server: ICEServer, relayOnly: Bool = true) async throws -> Loopback {
            try await Loopback { offerer, answerer in
                for side in [\PeerSessionConfiguration.iceServers] {
                    offerer[keyPath: side] = [server]
                    answerer[keyPath: side] = [server]
                }
                offerer.relayOnly = relayOnly
                answerer.relayOnly = relayOnly
            }
        }

        private func expectPictures(_ call: Loopback) async throws {
            try await call.connect()
            try await call.waitForPictures()
            for session in [call.offerer, call.answerer] {
                try await eventually { session.remoteVideo.latest()?.isTestPicture == true }
            }
        }

        @Test(arguments: RelayWay.allCases)
        func `pictures go both ways through a relay`(way: RelayWay) async throws {
            let turn = try await turn(.user("ann", password: "p/=@"))
            let call = try await call(way.server(turn, "ann", "p/=@", authorities: authority.certificate))
            try await expectPictures(call)
            await call.close()
            #expect(turn.log.contains { $0.contains("ALLOCATE processed, success") })
            for session in [call.offerer, call.answerer] {
                let path = try #require(await session.statistics().path)
                #expect(path.local == .relayed && path.isRelayed)
                // libnice may not say.
                #expect(path.transport == nil || path.transport == (way == .udp ? .udp : .tcp))
            }
        }

        /// Two answers make an allocation: the first one asks for the password.
        @Test(arguments: [.milliseconds(2_100), .milliseconds(3_500)] as [Duration])
        func `a relay that takes its time is waited for`(delay: Duration) async throws {
            let turn = try await turn(.user("ann", password: "right"))
            let slow = try SlowRelay(TURNServer.machineAddress, server: turn.port, delay: delay)
            let server = ICEServer(
                url: "turn:\(TURNServer.machineAddress):\(slow.port)", username: "ann", credential: "right")
            let call = try await call(server)
            try await expectPictures(call)
            for log in [call.offererLog, call.answererLog] {
                #expect(!log.events.contains { if case .failed = $0 { true } else { false } })
            }
            await call.close()
            withExtendedLifetime(slow) {}
        }

        @Test(arguments: RelayWay.allCases)
        func `credentials made of a shared secret are taken`(way: RelayWay) async throws {
            let turn = try await turn(.secret("between us"))
            var server = way.server(turn, "ann", "", authorities: authority.certificate)
            (server.credential, server.secret) = (nil, "between us")
            let call = try await call(server)
            try await expectPictures(call)
            await call.close()
        }

        @Test func `a relay-only description and its candidates name no local address`() async throws {
            let turn = try await turn(.user("ann", password: "secret"))
            let call = try await call(RelayWay.udp.server(turn, "ann", "secret", authorities: ""))
            let offer = try await call.offerer.makeOffer()
            let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
            for side in [offer, answer] {
                #expect(!side.candidates.isEmpty)
                for candidate in side.candidates {
                    let line = try CandidateLine(parsing: candidate.candidate)
                    #expect(line.kind == .relay && line.address == TURNServer.machineAddress)
                    #expect(candidate.candidate.contains("raddr 0.0.0.0 rport 0"))
                }
                for line in side.sdp.split(whereSeparator: \.isNewline) {
                    for word in line.split(separator: " ") where InternetAddress(literal: String(word)) != nil {
                        #expect(word == "0.0.0.0" || word == "::", "\(line)")
                    }
                }
            }
            await call.close()
        }

        @Test(arguments: RelayWay.allCases)
        func `a wrong password ends a relay-only call with an error that says so`(way: RelayWay) async throws {
            let turn = try await turn(.user("ann", password: "right"))
            let server = way.server(turn, "ann", "wrong", authorities: authority.certificate)
            try await expectEnd(server) { if case .noCandidates = $0 { true } else { false } }
        }

        @Test func `credentials that have run out are of no use`() async throws {
            let turn = try await turn(.secret("between us"))
            let past = try #require(
                TURNCredentials(
                    secret: SecretBytes(Array("between us".utf8)), name: "ann", expiry: Int64(time(nil)) - 60))
            let server = RelayWay.udp.server(turn, past.username, past.password, authorities: "")
            try await expectEnd(server) { if case .noCandidates = $0 { true } else { false } }
        }

        @Test func `a relay whose authority nobody trusts is not used`() async throws {
            let turn = try await turn(.user("ann", password: "right"))
            var server = RelayWay.tls.server(turn, "ann", "right", authorities: "")
            server.authorities = nil
            try await expectEnd(server) { if case .certificate = $0 { true } else { false } }
            #expect(!turn.log.contains { $0.contains("ALLOCATE") })
        }

        @Test func `a relay whose certificate is for another name is not used`() async throws {
            let turn = try await turn(.user("ann", password: "right"), names: ["DNS:turn.example.org", "IP:127.0.0.2"])
            let server = RelayWay.tls.server(turn, "ann", "right", authorities: authority.certificate)
            try await expectEnd(server) { if case .certificate = $0 { true } else { false } }
        }

        @Test func `a relay whose certificate has run out is not used`() async throws {
            let turn = try await turn(.user("ann", password: "right"), hasRunOut: true)
            let server = RelayWay.tls.server(turn, "ann", "right", authorities: authority.certificate)
            try await expectEnd(server) {
                if case .certificate(_, let reason) = $0 { reason.contains("expired") } else { false }
            }
        }

        @Test func `a relay-only call without a relay is not even begun`() async throws {
            var configuration = Loopback.configuration(.offerer, .none)
            configuration.relayOnly = true
            configuration.iceServers = [ICEServer(url: "stun:127.0.0.1:9")]
            let captures = Capture.live
            await #expect(throws: MediaError.relay(.noneConfigured)) { try await PeerSession.open(configuration) }
            #expect(Capture.live == captures)
        }

        @Test func `where other ways are allowed a useless relay is one notice and no hindrance`() async throws {
            let server = ICEServer(url: "turn:127.0.0.1:\(9)?transport=tcp", username: "a", credential: "b")
            let call = try await call(server, relayOnly: false)
            try await call.connect()
            try await call.waitForPictures()
            let isNotice: @Sendable (PeerSessionEvent) -> Bool = {
                if case .notice(.server(.noCandidates)) = $0 { true } else { false }
            }
            await call.offererLog.wait { $0.contains(where: isNotice) }
            await call.close()
            #expect(call.offererLog.events.count(where: isNotice) == 1)
        }

        /// A relay-only session with this server fails by itself, having shown no candidate.
        private func expectEnd(_ server: ICEServer, _ isReason: @escaping @Sendable (RelayServerError) -> Bool)
            async throws
        {
            let call = try await call(server)
            _ = try? await call.offerer.makeOffer()
            await call.offererLog.wait { events in
                events.contains { if case .failed = $0 { true } else { false } }
            }
            let events = call.offererLog.events
            let failures = events.compactMap { event -> RelayServerError? in
                if case .failed(.relay(let error)) = event { error } else { nil }
            }
            #expect(failures.count == 1 && failures.allSatisfy(isReason), "\(events)")
            #expect(!events.contains { if case .candidates = $0 { true } else { false } })
            await call.close()
        }
    }
}
