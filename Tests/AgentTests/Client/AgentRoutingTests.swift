import SMP
import SMPTransport
import TestSupport
import Testing

@testable import Agent

/// Agents whose relays forward for them, all real relays on loopback.
@Suite(.timeLimit(.minutes(5))) struct AgentRoutingTests {
    private let strict = PrivateRouting(mode: .unknownRelays, fallback: [])

    private func body(_ number: Int) -> [UInt8] { Array("message \(number)".utf8) }

    private func routing(_ agent: TestAgent) async -> [AgentEvent] {
        await agent.events.filter { if case .routing = $0 { true } else { false } }
    }

    @Test func `two agents connect and talk without being seen by each other's relay`() async throws {
        let first = try await TestRelay(forwards: true)
        let second = try await TestRelay(forwards: true)
        let initiator = try await TestAgent([first.address], routing: strict)
        let joiner = try await TestAgent([second.address], routing: strict)
        let ids = try await connect(initiator, joiner)
        for number in 0..<5 {
            _ = try await initiator.agent.send(body(number), on: ids.initiator, notify: true)
            _ = try await joiner.agent.send(body(100 + number), on: ids.joiner, notify: true)
        }
        #expect(try await joiner.waitForMessages(5) == (0..<5).map(body))
        #expect(try await initiator.waitForMessages(5) == (100..<105).map(body))
        // Each relay has one client: its own agent; and the other relay.
        #expect(first.connectionCount == 2)
        #expect(second.connectionCount == 2)
        for (agent, own) in [(initiator, first), (joiner, second)] {
            let counts = await agent.agent.routingCounts
            #expect(counts.direct == 0)
            #expect(counts.directByFallback == 0)
            #expect(counts.proxied >= 6)
            #expect(await agent.agent.dialledRelays == [own.address])
            #expect(await agent.failures == [])
            #expect(await routing(agent) == [])
        }
        // With its agent gone, nobody but the other relay is connected to a relay.
        await joiner.stop()
        try await waitUntil("the second relay without its agent") { second.connectionCount == 1 }
        await initiator.stop()
        await first.stop()
        await second.stop()
    }

    @Test func `a pure proxy stands between sender and relay`() async throws {
        let proxy = try await TestRelay(forwards: true)
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let sender = try await TestAgent([proxy.address], routing: strict)
        let ids = try await connect(owner, sender)
        _ = try await sender.agent.send(body(1), on: ids.joiner, notify: true)
        #expect(try await owner.waitForMessages(1) == [body(1)])
        #expect(await sender.agent.dialledRelays == [proxy.address])
        // Its owner and the proxy.
        #expect(relay.connectionCount == 2)
        await owner.stop()
        await sender.stop()
        await proxy.stop()
        await relay.stop()
    }

    @Test func `a relay that comes and goes loses and repeats nothing`() async throws {
        let first = try await TestRelay(forwards: true)
        let second = try await TestRelay(forwards: true)
        let initiator = try await TestAgent([first.address], routing: strict)
        let joiner = try await TestAgent([second.address], routing: strict)
        let ids = try await connect(initiator, joiner)
        let count = 12
        for number in 0..<count {
            _ = try await initiator.agent.send(body(number), on: ids.initiator, notify: true)
            _ = try await joiner.agent.send(body(100 + number), on: ids.joiner, notify: true)
            guard number == 3 || number == 8 else { continue }
            // Each is proxy of one agent and destination of the other.
            let relay = number == 3 ? first : second
            await relay.stop()
            try await relay.start()
        }
        #expect(try await joiner.waitForMessages(count) == (0..<count).map(body))
        #expect(try await initiator.waitForMessages(count) == (100..<(100 + count)).map(body))
        for agent in [initiator, joiner] {
            #expect(await agent.failures == [])
            #expect(await agent.messages.count == count)
            #expect(await agent.messages.allSatisfy { $0.integrity == .ok })
            #expect(await agent.agent.routingCounts.directByFallback == 0)
            await agent.stop()
        }
        await first.stop()
        await second.stop()
    }

    @Test func `another own relay forwards when one is gone`() async throws {
        let proxies = [try await TestRelay(forwards: true), try await TestRelay(forwards: true)]
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let sender = try await TestAgent(proxies.map(\.address), routing: strict)
        let ids = try await connect(owner, sender)
        // The one without the sender's queue goes, then the other way round would end receiving too.
        let used = try await sender.agent.status(of: ids.joiner).receivingRelays.map(\.address)
        for proxy in proxies where !used.contains(proxy.address) { await proxy.stop() }
        for number in 0..<3 { _ = try await sender.agent.send(body(number), on: ids.joiner, notify: true) }
        #expect(try await owner.waitForMessages(3) == (0..<3).map(body))
        #expect(await sender.failures == [])
        await owner.stop()
        await sender.stop()
        for proxy in proxies { await proxy.stop() }
        await relay.stop()
    }

    @Test func `without a proxy the relay is dialled and the person is told once`() async throws {
        let own = try await TestRelay()
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let sender = try await TestAgent([own.address], routing: PrivateRouting())
        let ids = try await connect(owner, sender)
        for number in 0..<3 { _ = try await sender.agent.send(body(number), on: ids.joiner, notify: true) }
        #expect(try await owner.waitForMessages(3) == (0..<3).map(body))
        #expect(await routing(sender) == [.routing(relay.address, .directForWantOfProxy)])
        let counts = await sender.agent.routingCounts
        #expect(counts.directByFallback >= 4)
        #expect(counts.proxied == 0)
        await owner.stop()
        await sender.stop()
        await own.stop()
        await relay.stop()
    }

    @Test func `without a proxy and without leave nothing is sent`() async throws {
        let own = try await TestRelay()
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let sender = try await TestAgent([own.address], routing: strict)
        let (_, link) = try await owner.agent.makeInvitation()
        let joined = try await sender.agent.join(link: link, info: [1])
        let (failed, _, error) = try await sender.waitForFailure()
        #expect(failed == joined)
        #expect(error == .noPrivateRoute)
        #expect(relay.connectionCount == 1)
        #expect(await sender.agent.dialledRelays == [own.address])
        await owner.stop()
        await sender.stop()
        await own.stop()
        await relay.stop()
    }

    @Test(arguments: [true, false]) func `a relay too old for proxies is dialled only if allowed`(isAllowed: Bool)
        async throws
    {
        let own = try await TestRelay(forwards: true)
        // A proxy can't say what it is here, and there is no version without block encryption.
        let relay = try await TestRelay(versions: 11...13)
        let owner = try await TestAgent([relay.address], version: 13)
        let sender = try await TestAgent(
            [own.address], version: 13,
            routing: PrivateRouting(fallback: isAllowed ? .destinationUnsupported : .noProxy))
        let (connection, link) = try await owner.agent.makeInvitation()
        let joined = try await sender.agent.join(link: link, info: [1])
        if isAllowed {
            let (confirmed, _) = try await owner.waitForConfirmation()
            #expect(confirmed == connection)
            #expect(await routing(sender) == [.routing(relay.address, .directForWantOfSupport)])
        } else {
            let (failed, _, error) = try await sender.waitForFailure()
            #expect(failed == joined)
            #expect(error == .noPrivateRoute)
            #expect(relay.connectionCount == 1)
        }
        await owner.stop()
        await sender.stop()
        await own.stop()
        await relay.stop()
    }

    @Test func `always means own relays too`() async throws {
        let proxies = [try await TestRelay(forwards: true), try await TestRelay(forwards: true)]
        let addresses = proxies.map(\.address)
        let always = PrivateRouting(mode: .always, fallback: [])
        let initiator = try await TestAgent(addresses, routing: always)
        let joiner = try await TestAgent(addresses, routing: always)
        let ids = try await connect(initiator, joiner)
        _ = try await joiner.agent.send(body(1), on: ids.joiner, notify: true)
        #expect(try await initiator.waitForMessages(1) == [body(1)])
        for agent in [initiator, joiner] {
            let counts = await agent.agent.routingCounts
            #expect(counts.direct + counts.directByFallback == 0)
            #expect(await agent.failures == [])
            await agent.stop()
        }
        for proxy in proxies { await proxy.stop() }
    }

    @Test func `always with one relay goes through that relay to itself`() async throws {
        let relay = try await TestRelay(forwards: true)
        let always = PrivateRouting(mode: .always, fallback: [])
        let initiator = try await TestAgent([relay.address], routing: always)
        let joiner = try await TestAgent([relay.address], routing: always)
        let ids = try await connect(initiator, joiner)
        _ = try await joiner.agent.send(body(1), on: ids.joiner, notify: true)
        #expect(try await initiator.waitForMessages(1) == [body(1)])
        for agent in [initiator, joiner] {
            let counts = await agent.agent.routingCounts
            #expect(counts.direct + counts.directByFallback == 0)
            #expect(counts.proxied > 0)
            #expect(await agent.failures == [])
            await agent.stop()
        }
        await relay.stop()
    }

    @Test func `short links are opened through a proxy`() async throws {
        let proxy = try await TestRelay(forwards: true)
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let sender = try await TestAgent([proxy.address], routing: strict)
        let (connection, link) = try await owner.agent.makeShortInvitation()
        let joined = try await sender.agent.join(link: link, info: [1])
        _ = try await owner.waitForConfirmation()
        try await owner.agent.allow(connection, info: [2])
        try await sender.waitUntilConnected(joined)
        let address = try await owner.agent.makeShortAddress()
        _ = try await sender.agent.join(link: address.link, info: [3])
        try await owner.wait("a request") { events in
            events.contains { if case .request = $0 { true } else { false } } ? true : nil
        }
        #expect(relay.connectionCount == 2)
        #expect(await sender.agent.dialledRelays == [proxy.address])
        await owner.stop()
        await sender.stop()
        await proxy.stop()
        await relay.stop()
    }

    @Test func `a move to an unknown relay is followed through a proxy`() async throws {
        let proxy = try await TestRelay(forwards: true)
        let relays = [try await TestRelay(), try await TestRelay()]
        let mover = try await TestAgent(relays.map(\.address))
        let peer = try await TestAgent([proxy.address], routing: strict)
        let ids = try await connect(mover, peer)
        try await mover.agent.moveQueue(of: ids.initiator)
        try await mover.wait("a moved queue") { $0.contains(.rotation(ids.initiator, .none)) ? true : nil }
        _ = try await peer.agent.send(body(1), on: ids.joiner, notify: true)
        #expect(try await mover.waitForMessages(1) == [body(1)])
        #expect(await peer.agent.dialledRelays == [proxy.address])
        #expect(await peer.failures == [])
        await mover.stop()
        await peer.stop()
        await proxy.stop()
        for relay in relays { await relay.stop() }
    }
}

extension Agent {
    /// The relays this agent has ever connected to, or tried to.
    var dialledRelays: [RelayAddress] { Array(lines.keys) }
}
