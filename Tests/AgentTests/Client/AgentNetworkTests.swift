import SMP
import Testing

@testable import Agent
@testable import SMPSession

/// Connections that die while the relay lives.
@Suite(.timeLimit(.minutes(5))) struct AgentNetworkTests {
    private func body(_ number: Int) -> [UInt8] { Array("message \(number)".utf8) }

    @Test func `a connection cut again and again loses and repeats nothing`() async throws {
        let relay = try await TestRelay()
        let first = try await relay.proxied()
        let second = try await relay.proxied()
        let initiator = try await TestAgent([first.address])
        let joiner = try await TestAgent([second.address])
        let ids = try await connect(initiator, joiner)

        let count = 30
        for number in 0..<count {
            _ = try await initiator.agent.send(body(number), on: ids.initiator, notify: true)
            _ = try await joiner.agent.send(body(1_000 + number), on: ids.joiner, notify: true)
            if number % 7 == 3 { await first.proxy.cut() }
            if number % 5 == 2 { await second.proxy.cut() }
            if number % 4 == 1 { _ = try await joiner.waitForMessages(number / 2) }
        }
        #expect(try await joiner.waitForMessages(count) == (0..<count).map(body))
        #expect(try await initiator.waitForMessages(count) == (1_000..<(1_000 + count)).map(body))
        // A last message each way shows that nothing was left behind to come again.
        _ = try await initiator.agent.send(body(-1), on: ids.initiator, notify: true)
        _ = try await joiner.agent.send(body(-2), on: ids.joiner, notify: true)
        #expect(try await joiner.waitForMessages(count + 1).last == body(-1))
        #expect(try await initiator.waitForMessages(count + 1).last == body(-2))
        for agent in [initiator, joiner] {
            #expect(await agent.failures == [])
            #expect(await agent.messages.count == count + 1)
            #expect(await agent.messages.allSatisfy { $0.integrity == .ok })
            await agent.stop()
        }
        await first.proxy.stop()
        await second.proxy.stop()
        await relay.stop()
    }

    @Test func `a handshake survives cut connections`() async throws {
        let relay = try await TestRelay()
        let first = try await relay.proxied()
        let second = try await relay.proxied()
        let initiator = try await TestAgent([first.address])
        let joiner = try await TestAgent([second.address])
        let (own, link) = try await initiator.agent.makeInvitation()
        let joined = try await joiner.agent.join(link: link, info: [1])
        await first.proxy.cut()
        await second.proxy.cut()
        _ = try await initiator.waitForConfirmation()
        await first.proxy.cut()
        try await initiator.agent.allow(own, info: [2])
        await second.proxy.cut()
        try await initiator.waitUntilConnected(own)
        await first.proxy.cut()
        try await joiner.waitUntilConnected(joined)
        for agent in [initiator, joiner] {
            #expect(await agent.failures == [])
            #expect(await agent.events.filter { if case .connected = $0 { true } else { false } }.count == 1)
            await agent.stop()
        }
        await first.proxy.stop()
        await second.proxy.stop()
        await relay.stop()
    }

    @Test func `what is queued without network leaves when it is back`() async throws {
        let relay = try await TestRelay()
        let way = try await relay.proxied()
        // The joiner sends to where the initiator receives.
        let initiator = try await TestAgent([way.address])
        let joiner = try await TestAgent([way.address])
        let ids = try await connect(initiator, joiner)
        await way.proxy.block()
        try await joiner.wait("down") { events in
            events.contains { if case .down = $0 { true } else { false } } ? true : nil
        }
        for number in 0..<4 { _ = try await joiner.agent.send(body(number), on: ids.joiner, notify: true) }
        #expect(await initiator.messages.isEmpty)
        await way.proxy.mend()
        #expect(try await initiator.waitForMessages(4) == (0..<4).map(body))
        await initiator.stop()
        await joiner.stop()
        await way.proxy.stop()
        await relay.stop()
    }

    @Test func `a crash loses nothing that was queued`() async throws {
        let relay = try await TestRelay()
        let way = try await relay.proxied()
        let initiator = try await TestAgent([way.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        _ = try await initiator.agent.send(body(0), on: ids.initiator, notify: true)
        _ = try await joiner.waitForMessages(1)
        await way.proxy.block()
        for number in 1..<4 { _ = try await joiner.agent.send(body(number), on: ids.joiner, notify: true) }
        // What a power cut would leave on the disk.
        let disk = try joiner.folder.copy()
        await joiner.stop()
        await way.proxy.mend()
        let again = try await TestAgent([relay.address], folder: disk)
        #expect(try await initiator.waitForMessages(3) == (1..<4).map(body))
        _ = try await initiator.agent.send(body(9), on: ids.initiator, notify: true)
        #expect(try await again.waitForMessages(1) == [body(9)])
        #expect(await again.failures == [])
        await initiator.stop()
        await again.stop()
        await way.proxy.stop()
        await relay.stop()
    }

    @Test func `an unacknowledged message is delivered again but told once in a run`() async throws {
        let relay = try await TestRelay()
        let way = try await relay.proxied()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([way.address], acknowledges: false)
        let ids = try await connect(initiator, joiner)
        _ = try await initiator.agent.send(body(1), on: ids.initiator, notify: true)
        _ = try await initiator.agent.send(body(2), on: ids.initiator, notify: true)
        _ = try await joiner.waitForMessages(1)
        for round in 2..<5 {
            await way.proxy.cut()
            try await joiner.wait("up again") { events in
                events.filter { if case .up = $0 { true } else { false } }.count >= round ? true : nil
            }
        }
        #expect(await joiner.messages.map(\.body) == [body(1)])
        await joiner.stop()

        // The next run offers it again, because the application never said that it has it.
        let again = try await TestAgent([way.address], folder: joiner.folder, acknowledges: false)
        _ = try await again.waitForMessages(1)
        let first = try #require(await again.messages.first)
        #expect(first.body == body(1))
        await again.agent.acknowledge(ids.joiner, message: first.id)
        #expect(try await again.waitForMessages(2) == [body(1), body(2)])
        #expect(await again.failures == [])
        await again.stop()

        let last = try await TestAgent([way.address], folder: joiner.folder)
        #expect(try await last.waitForMessages(1) == [body(2)])
        await initiator.stop()
        await last.stop()
        await way.proxy.stop()
        await relay.stop()
    }

    @Test func `events wait for their first reader`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        await joiner.stop()
        _ = try await initiator.agent.send(body(1), on: ids.initiator, notify: true)
        try await initiator.wait("sent") { events in
            events.contains { if case .sent = $0 { true } else { false } } ? true : nil
        }
        let quiet = try await Agent(
            configuration: AgentConfiguration(
                directory: joiner.folder.path, storeKey: testStoreKey, relays: [relay.address]))
        await quiet.start()
        while try await quiet.waitingCount() == 0 { try await Task.sleep(for: .milliseconds(10)) }
        await quiet.stop()
        var bodies: [[UInt8]] = []
        for await case .message(_, let message) in quiet.events { bodies.append(message.body) }
        #expect(bodies == [body(1)])
        await initiator.stop()
        await relay.stop()
    }

    @Test func `who asks for it reaches a relay at once that would be dialled much later`() async throws {
        let relay = try await TestRelay()
        let way = try await relay.proxied()
        let initiator = try await TestAgent([relay.address])
        // Left to itself it would not dial again within this test.
        let joiner = try await TestAgent([way.address], backoff: ReconnectBackoff(initial: .seconds(3_600)))
        let ids = try await connect(initiator, joiner)
        await way.proxy.block()
        try await joiner.wait("down") { events in
            events.contains { if case .down = $0 { true } else { false } } ? true : nil
        }
        _ = try await initiator.agent.send(body(1), on: ids.initiator, notify: true)
        await way.proxy.mend()
        await joiner.agent.retryNow()
        #expect(try await joiner.waitForMessages(1) == [body(1)])
        for agent in [initiator, joiner] { await agent.stop() }
        await way.proxy.stop()
        await relay.stop()
    }

    @Test func `what was sent while a connection lay dead comes over a new one when everything is tried again`()
        async throws
    {
        let relay = try await TestRelay()
        let way = try await relay.proxied()
        // Left to themselves they would wait an hour for an answer.
        let initiator = try await TestAgent([relay.address], commandTimeout: .seconds(3_600))
        let joiner = try await TestAgent([way.address], commandTimeout: .seconds(3_600))
        let ids = try await connect(initiator, joiner)
        await way.proxy.freeze()
        let before = await way.proxy.connectionCount
        // The initiator's own line that way is dead, too.
        await initiator.agent.retryNow()
        _ = try await initiator.agent.send(body(1), on: ids.initiator, notify: true)
        try await initiator.wait("sent") { events in
            events.contains { if case .sent = $0 { true } else { false } } ? true : nil
        }
        #expect(await joiner.messages.isEmpty)
        await joiner.agent.retryNow()
        #expect(try await joiner.waitForMessages(1) == [body(1)])
        #expect(await way.proxy.connectionCount >= before + 2)
        for agent in [initiator, joiner] { await agent.stop() }
        await way.proxy.stop()
        await relay.stop()
    }

    @Test func `an attempt to connect that waits long is not waited for in a hurry`() async throws {
        let relay = try await TestRelay()
        let way = try await relay.proxied()
        let initiator = try await TestAgent([relay.address])
        // Left to itself it would not give up an attempt within this test.
        let joiner = try await TestAgent([way.address], connectTimeout: .seconds(3_600))
        let ids = try await connect(initiator, joiner)
        let before = await way.proxy.connectionCount
        await way.proxy.swallow()
        await way.proxy.cut()
        while await way.proxy.connectionCount < before + 2 { try await Task.sleep(for: .milliseconds(10)) }
        await way.proxy.mend()
        _ = try await initiator.agent.send(body(1), on: ids.initiator, notify: true)
        for agent in [initiator, joiner] { await agent.agent.retryNow() }
        #expect(try await joiner.waitForMessages(1) == [body(1)])
        for agent in [initiator, joiner] { await agent.stop() }
        await way.proxy.stop()
        await relay.stop()
    }

    @Test func `a dead connection is noticed and made anew within seconds when it hurries`() async throws {
        let relay = try await TestRelay()
        let way = try await relay.proxied()
        let initiator = try await TestAgent([relay.address], commandTimeout: .seconds(3_600))
        let joiner = try await TestAgent([way.address], commandTimeout: .seconds(3_600))
        let ids = try await connect(initiator, joiner)
        await way.proxy.freeze()
        // Both have a line that way. Without hurry they would wait an hour for an answer.
        for agent in [initiator, joiner] { await agent.agent.hurry(for: .seconds(30)) }
        _ = try await initiator.agent.send(body(1), on: ids.initiator, notify: true)
        #expect(try await joiner.waitForMessages(1) == [body(1)])
        // The message may be there before the line is told to be up.
        try await joiner.wait("down, then up") { events -> Bool? in
            let relays = events.filter {
                switch $0 {
                case .up, .down: true
                default: false
                }
            }
            guard case .down = relays.dropLast().last, case .up = relays.last else { return nil }
            return true
        }
        await joiner.agent.calm()
        for agent in [initiator, joiner] { await agent.stop() }
        await way.proxy.stop()
        await relay.stop()
    }
}

extension Agent {
    /// How many messages the application has not acknowledged.
    func waitingCount() throws -> Int {
        try inStore { try $0.waitingMessages() }.count
    }
}
