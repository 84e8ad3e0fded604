import Cryptography
import SMP
import SMPSession
import TestSupport
import Testing

@testable import RelayRules

/// The proxy's table, event by event.
@Suite(.timeLimit(.minutes(5))) struct ProxyTableTests {
    private static func own() throws -> RelayAddress {
        try RelayAddress(hosts: ["own.example"], port: 5223, keyHash: Digest.sha256([0]))
    }

    private let session = [UInt8](repeating: 3, count: 32)

    private func table(_ change: (inout ProxyConfiguration) -> Void = { _ in }) throws -> ProxyTable {
        var limits = ProxyConfiguration()
        change(&limits)
        return ProxyTable(limits: limits, own: try Self.own())
    }

    private func address(_ number: UInt8) throws -> RelayAddress {
        try RelayAddress(hosts: ["relay\(number).example"], port: nil, keyHash: Digest.sha256([number]))
    }

    private func open(_ number: UInt8, client: SessionNumber = 1) throws -> ProxyRequest {
        ProxyRequest(
            session: client, version: 14, correlationID: .random(), content: .open(try address(number)))
    }

    private let command = ProxiedCommand(version: 14, key: X25519.PrivateKey().publicKey, sealed: [1])

    private func forward(_ sessionID: [UInt8], client: SessionNumber = 1) -> ProxyRequest {
        ProxyRequest(
            session: client, version: 14, correlationID: .random(),
            content: .forward(sessionID: sessionID, command))
    }

    private func key() throws -> ProxySession {
        let certificates = try RelayCertificates.make(host: "h")
        let signed = try SignedKey(.x25519(X25519.PrivateKey().publicKey), signedBy: certificates.serverKey)
        return ProxySession(
            sessionID: session, versions: SMPVersionRange(9...17),
            key: CertifiedKey(chain: certificates.chain.certificates, signedKey: signed))
    }

    @Test func `one client cannot have all wait for itself`() throws {
        var table = try table {
            $0.waiting = 8
            $0.concurrencyPerClient = 4
        }
        let key = try key()
        _ = table.receive(try open(1), now: at(0))
        _ = table.connected(try address(1), sessionID: session, .success(key), now: at(0))
        func take(_ client: SessionNumber) -> [ProxyTable.Action] {
            table.receive(forward(session, client: client), now: at(1)).1
        }
        let busy = (0..<8).map { _ in take(1) }
        #expect(busy.count { $0.isEmpty } == 4)
        let refusal = BrokerMessage.error(.proxy(.broker(.timeout)))
        func isRefused(_ actions: [ProxyTable.Action]) -> Bool {
            if case .answer(_, refusal)? = actions.first { true } else { false }
        }
        #expect(isRefused(take(1)))
        // Another has its share, and no more.
        #expect((0..<4).allSatisfy { _ in !isRefused(take(2)) })
        #expect(isRefused(take(2)))
    }

    @Test func `two clients share one connection`() throws {
        var table = try table()
        let key = try key()
        let first = table.receive(try open(1), now: at(0))
        #expect(first.1 == [.connect(try address(1))])
        let second = table.receive(try open(1, client: 2), now: at(1))
        #expect(second.1 == [])
        let actions = table.connected(try address(1), sessionID: session, .success(key), now: at(5))
        #expect(actions == [.answer(first.0, .proxySession(key)), .answer(second.0, .proxySession(key))])
        #expect(table.destinationCount == 1)
        // Whoever comes later needs no connection.
        let third = table.receive(try open(1, client: 3), now: at(6))
        #expect(third.1 == [.answer(third.0, .proxySession(key))])
    }

    @Test func `a command goes to the relay of its session`() throws {
        var table = try table()
        _ = table.receive(try open(1), now: at(0))
        _ = table.connected(try address(1), sessionID: session, .success(try key()), now: at(0))
        let (ticket, actions) = table.receive(forward(session), now: at(1))
        #expect(actions == [.forward(ticket, try address(1), command)])
        #expect(
            table.answered(ticket, try address(1), .proxyResponse([9]), now: at(2))
                == [.answer(ticket, .proxyResponse([9]))])
        // Each is answered once.
        #expect(table.answered(ticket, try address(1), .proxyResponse([9]), now: at(2)) == [])
    }

    @Test func `a session nobody knows is told so`() throws {
        var table = try table()
        let (ticket, actions) = table.receive(forward(session), now: at(0))
        #expect(actions == [.answer(ticket, .error(.proxy(.noSession)))])
    }

    @Test func `a lost connection ends its session`() throws {
        var table = try table()
        _ = table.receive(try open(1), now: at(0))
        _ = table.connected(try address(1), sessionID: session, .success(try key()), now: at(0))
        // News of an earlier connection to the same relay.
        table.lost(try address(1), sessionID: [1])
        #expect(table.receive(forward(session), now: at(1)).1.count == 1)
        #expect(table.destinationCount == 1)
        table.lost(try address(1), sessionID: session)
        let (ticket, actions) = table.receive(forward(session), now: at(1))
        #expect(actions == [.answer(ticket, .error(.proxy(.noSession)))])
        #expect(table.receive(try open(1), now: at(2)).1 == [.connect(try address(1))])
    }

    @Test func `a failure is remembered for a moment`() throws {
        var table = try table { $0.failureMemory = .milliseconds(500) }
        let (first, _) = table.receive(try open(1), now: at(0))
        let error = BrokerMessage.error(.proxy(.broker(.network(nil))))
        #expect(table.failed(try address(1), .network(nil), now: at(10)) == [.answer(first, error)])
        let (second, actions) = table.receive(try open(1), now: at(509))
        #expect(actions == [.answer(second, error)])
        #expect(table.receive(try open(1), now: at(510)).1 == [.connect(try address(1))])
    }

    @Test func `a relay that cannot be told of is refused to everybody`() throws {
        var table = try table()
        let (first, _) = table.receive(try open(1), now: at(0))
        let error = SMPError.proxy(.broker(.transport(.version)))
        #expect(
            table.connected(try address(1), sessionID: session, .failure(error), now: at(1))
                == [.answer(first, .error(error))])
    }

    @Test func `patience ends`() throws {
        var table = try table { $0.patience = .seconds(15) }
        let (ticket, _) = table.receive(try open(1), now: at(0))
        #expect(table.tick(now: at(14_999)) == [])
        #expect(table.tick(now: at(15_000)) == [.answer(ticket, .error(.proxy(.broker(.network(nil)))))])
        // The connection may still come about, for others.
        let key = try key()
        #expect(table.connected(try address(1), sessionID: session, .success(key), now: at(16_000)) == [])
        let (other, actions) = table.receive(try open(1), now: at(16_001))
        #expect(actions == [.answer(other, .proxySession(key))])
    }

    @Test(arguments: ["own.example", "192.168.1.1", "elsewhere.example"])
    func `whoever names the relay itself is led to itself and nowhere else`(host: String) throws {
        var table = try table()
        let named = try RelayAddress(hosts: [host], port: 22, keyHash: try Self.own().keyHash)
        let request = ProxyRequest(session: 1, version: 14, correlationID: .random(), content: .open(named))
        let (ticket, actions) = table.receive(request, now: at(0))
        #expect(actions == [.connect(try Self.own())])
        let key = try key()
        #expect(
            table.connected(try Self.own(), sessionID: session, .success(key), now: at(1))
                == [.answer(ticket, .proxySession(key))])
        #expect(table.destinationCount == 1)
    }

    @Test func `one client has only so many commands under way`() throws {
        var table = try table {
            $0.concurrencyPerClient = 2
            $0.waitingPerClient = 1
        }
        _ = table.receive(try open(1), now: at(0))
        _ = table.connected(try address(1), sessionID: session, .success(try key()), now: at(0))
        let tickets = (0..<3).map { _ in table.receive(forward(session), now: at(1)) }
        #expect(tickets.map(\.1.count) == [1, 1, 0])
        let (refused, actions) = table.receive(forward(session), now: at(1))
        #expect(actions == [.answer(refused, .error(.proxy(.broker(.timeout))))])
        // Others are not held up.
        #expect(table.receive(forward(session, client: 2), now: at(1)).1.count == 1)
        let next = table.answered(tickets[0].0, try address(1), .proxyResponse([]), now: at(2))
        #expect(
            next == [
                .answer(tickets[0].0, .proxyResponse([])), .forward(tickets[2].0, try address(1), command),
            ])
    }

    @Test func `what a client that left still waited for is not begun`() throws {
        var table = try table { $0.concurrencyPerClient = 1 }
        _ = table.receive(try open(1), now: at(0))
        _ = table.connected(try address(1), sessionID: session, .success(try key()), now: at(0))
        let (ticket, _) = table.receive(forward(session), now: at(1))
        _ = table.receive(forward(session), now: at(1))
        table.ended(1)
        #expect(
            table.answered(ticket, try address(1), .proxyResponse([]), now: at(2))
                == [.answer(ticket, .proxyResponse([]))])
    }

    @Test func `an unused connection is closed`() throws {
        var table = try table { $0.idleTimeout = .seconds(60) }
        _ = table.receive(try open(1), now: at(0))
        _ = table.connected(try address(1), sessionID: session, .success(try key()), now: at(0))
        let (ticket, _) = table.receive(forward(session), now: at(1_000))
        // Not while somebody waits for an answer.
        #expect(table.tick(now: at(70_000)) == [])
        _ = table.answered(ticket, try address(1), .proxyResponse([]), now: at(70_000))
        #expect(table.tick(now: at(129_999)) == [])
        #expect(table.tick(now: at(130_000)) == [.close(try address(1))])
        #expect(table.isEmpty)
    }

    @Test func `the longest unused makes room`() throws {
        var table = try table { $0.maximumDestinations = 2 }
        for number in 1...2 as ClosedRange<UInt8> {
            _ = table.receive(try open(number), now: at(number))
            _ = table.connected(
                try address(number), sessionID: Array(repeating: number, count: 32), .success(try key()),
                now: at(number))
        }
        #expect(table.receive(try open(3), now: at(5)).1 == [.close(try address(1)), .connect(try address(3))])
        _ = table.receive(forward(Array(repeating: 2, count: 32)), now: at(6))
        let (refused, actions) = table.receive(try open(4), now: at(7))
        #expect(actions == [.answer(refused, .error(.proxy(.broker(.timeout))))])
        #expect(table.destinationCount == 2)
    }

    @Test func `a table with nothing to watch is empty`() throws {
        var table = try table { $0.failureMemory = .milliseconds(1) }
        #expect(table.isEmpty)
        _ = table.receive(try open(1), now: at(0))
        #expect(!table.isEmpty)
        _ = table.failed(try address(1), .timeout, now: at(0))
        _ = table.tick(now: at(10))
        #expect(table.isEmpty)
    }

    @Test func `an answer too long for a block becomes an error`() throws {
        let request = forward(session)
        let read = { (message: BrokerMessage) throws -> BrokerMessage in
            let payloads = request.payload(message)
            let first = try Batch.transmissions(try #require(payloads.first), version: 14).first
            let transmission = try #require(first).get()
            #expect(payloads.count == 1)
            #expect(transmission.correlationID == request.correlationID)
            #expect(transmission.entityID.bytes == session)
            return try BrokerMessage(decoding: transmission.command, version: 14)
        }
        let fits = BrokerMessage.proxyResponse(Array(repeating: 1, count: SMPLimits.proxied + 16))
        #expect(try read(fits) == fits)
        #expect(
            try read(.proxyResponse(Array(repeating: 1, count: 16_320)))
                == .error(.proxy(.broker(.transport(.largeMessage)))))
    }
}
