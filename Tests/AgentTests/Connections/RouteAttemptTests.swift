import Cryptography
import SMP
import Testing

@testable import Agent
@testable import SMPSession

/// Which way a request takes, without a network.
@Suite(.timeLimit(.minutes(5))) struct RouteAttemptTests {
    private func relay(_ number: UInt8, hosts: [String]? = nil) throws -> RelayAddress {
        try RelayAddress(
            hosts: hosts ?? ["relay\(number).example"], port: nil, keyHash: Digest.sha256([number]))
    }

    private func attempt(
        _ count: UInt8, _ fallback: PrivateRouting.Fallback = []
    ) throws -> (RouteAttempt, [RelayAddress]) {
        let proxies = try (0..<count).map { try relay($0) }
        return (RouteAttempt(proxies: proxies, fallback: fallback), proxies)
    }

    @Test func `a proxy out of reach is passed over`() throws {
        var (attempt, proxies) = try attempt(2)
        #expect(attempt.next() == .through(proxies[0]))
        #expect(attempt.failed(.proxy(.notConnected(.closed))) == .through(proxies[1]))
        #expect(attempt.failed(.sessionLost) == .fail(.unreachable))
    }

    @Test(
        arguments: [
            .proxy(.timeout), .proxy(.interrupted(.closedByPeer)), .proxy(.unexpectedResponse), .broker(.timeout),
            .broker(.network(nil)), .forged,
        ] as [ProxiedRequestError])
    func `what may have arrived is not sent through another in the same attempt`(error: ProxiedRequestError) throws {
        var (attempt, _) = try attempt(2)
        _ = attempt.next()
        #expect(attempt.failed(error) == .fail(.unreachable))
    }

    @Test func `the relay's own answer is final`() throws {
        let cases: [(ProxiedRequestError, DeliveryFailure)] = [
            (.refused(.authentication), .refused), (.refused(.quota), .full),
            (.refused(.largeMessage), .rejected("LARGE_MSG")), (.unexpectedResponse, .rejected("UNEXPECTED")),
            (.notEncodable, .rejected("NOT ENCODABLE")),
        ]
        for (error, failure) in cases {
            var (attempt, _) = try attempt(2, [.noProxy, .destinationUnsupported])
            _ = attempt.next()
            #expect(attempt.failed(error) == .fail(failure))
        }
    }

    @Test(
        arguments: [.version, .broker(.host), .broker(.transport(.version)), .notTaken(.command(.unknown))]
            as [ProxiedRequestError])
    func `a relay beyond all proxies is dialled only if allowed`(error: ProxiedRequestError) throws {
        for (fallback, expected) in [
            ([], .fail(.unroutable)), (.noProxy, .fail(.unroutable)),
            (.destinationUnsupported, .direct(.directForWantOfSupport)),
        ] as [(PrivateRouting.Fallback, RouteAttempt.Step)] {
            var (attempt, proxies) = try attempt(2, fallback)
            _ = attempt.next()
            #expect(attempt.failed(error) == .through(proxies[1]))
            #expect(attempt.failed(error) == expected)
        }
    }

    @Test func `without any proxy the relay is dialled only if allowed`() throws {
        for (fallback, expected) in [
            ([], .fail(.unroutable)),
            (.destinationUnsupported, .fail(.unroutable)),
            (.noProxy, .direct(.directForWantOfProxy)),
        ] as [(PrivateRouting.Fallback, RouteAttempt.Step)] {
            var (attempt, _) = try attempt(1, fallback)
            _ = attempt.next()
            #expect(attempt.failed(.notForwarding) == expected)
            var (without, _) = try self.attempt(0, fallback)
            #expect(without.next() == expected)
        }
    }

    @Test func `a relay that does not forward to itself is no proxy`() throws {
        for (fallback, expected) in [
            (.destinationUnsupported, .fail(.unroutable)), (.noProxy, .direct(.directForWantOfProxy)),
        ] as [(PrivateRouting.Fallback, RouteAttempt.Step)] {
            var (attempt, _) = try attempt(1, fallback)
            _ = attempt.next()
            #expect(attempt.failed(.broker(.host), isItself: true) == expected)
        }
    }

    @Test func `a proxy that may come back prevents falling back`() throws {
        var (attempt, _) = try attempt(3, [.noProxy, .destinationUnsupported])
        _ = attempt.next()
        _ = attempt.failed(.notForwarding)
        _ = attempt.failed(.proxy(.notConnected(.closed)))
        #expect(attempt.failed(.version) == .fail(.unreachable))
    }

    @Test func `a cheat does not make the agent fall back`() throws {
        for error in [ProxiedRequestError.identity(.wrongFingerprint), .notTaken(.crypto)] {
            var (attempt, _) = try attempt(1, [.noProxy, .destinationUnsupported])
            _ = attempt.next()
            #expect(attempt.failed(error) == .fail(.unreachable))
        }
    }

    @Test func `own relays are known by fingerprint and hosts`() throws {
        let own = [try relay(1), try relay(2, hosts: ["a.example", "b.example"])]
        let routing = PrivateRouting(mode: .unknownRelays)
        #expect(!routing.hides(from: own[0], own: own))
        #expect(!routing.hides(from: try relay(2, hosts: ["b.example"]), own: own))
        #expect(routing.hides(from: try relay(3), own: own))
        // A stranger's host under an own fingerprint.
        #expect(routing.hides(from: try relay(1, hosts: ["stranger.example"]), own: own))
        #expect(routing.hides(from: try relay(1, hosts: ["relay1.example", "stranger.example"]), own: own))
        // An own host under a stranger's fingerprint.
        #expect(routing.hides(from: try relay(3, hosts: ["relay1.example"]), own: own))
        #expect(!PrivateRouting(mode: .never).hides(from: try relay(3), own: own))
        #expect(PrivateRouting(mode: .always).hides(from: own[0], own: own))
    }

    @Test func `proxies are tried in a stable order the usable ones first`() throws {
        let own = try (1...4 as ClosedRange<UInt8>).map { try relay($0) }
        let destination = try relay(9)
        let order = PrivateRouting.proxies(for: destination, own: own) { _ in
            true
        } hasFailed: { _ in
            false
        }
        #expect(Set(order) == Set(own))
        let again = PrivateRouting.proxies(for: destination, own: own.reversed()) { _ in
            true
        } hasFailed: { _ in
            false
        }
        #expect(again == order)
        let down = PrivateRouting.proxies(for: destination, own: own) {
            $0 != order[0]
        } hasFailed: {
            $0 == order[1]
        }
        #expect(down == [order[2], order[3], order[0], order[1]])
        // A relay is the last proxy to itself.
        let itself = PrivateRouting.proxies(for: own[0], own: own) { _ in
            true
        } hasFailed: { _ in
            false
        }
        #expect(itself.last == own[0])
        #expect(itself.count == own.count)
    }
}
