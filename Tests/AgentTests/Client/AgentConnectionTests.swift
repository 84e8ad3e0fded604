import SMP
import Testing

@testable import Agent

/// Two agents and a real relay on a free port of the loopback.
@Suite(.timeLimit(.minutes(5))) struct AgentConnectionTests {
    private func body(_ number: Int) -> [UInt8] { Array("message \(number)".utf8) }

    @Test(arguments: [9, 11, 14, 17])
    func `an invitation connects two agents and messages arrive in order both ways`(version: UInt16) async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address], version: version)
        let joiner = try await TestAgent([relay.address], version: version)
        let ids = try await connect(initiator, joiner)
        #expect(await joiner.events.contains(.information(ids.joiner, information: Array("initiator".utf8))))
        #expect(await joiner.events.contains(.up(relay.address, smpVersion: version)))

        for number in 0..<5 {
            _ = try await initiator.agent.send(body(number), on: ids.initiator, notify: true)
            _ = try await joiner.agent.send(body(100 + number), on: ids.joiner, notify: false)
        }
        #expect(try await joiner.waitForMessages(5) == (0..<5).map(body))
        #expect(try await initiator.waitForMessages(5) == (100..<105).map(body))
        for agent in [initiator, joiner] {
            #expect(await agent.messages.allSatisfy { $0.integrity == .ok && $0.brokerTime > 1_500_000_000 })
            #expect(await agent.failures == [])
            await agent.stop()
        }
        await relay.stop()
    }

    @Test func `a link of an older peer connects by the classic handshake`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let (own, link) = try await initiator.agent.makeInvitation(isFast: false)
        let joined = try await joiner.agent.join(link: link, info: [1])
        let (_, info) = try await initiator.waitForConfirmation()
        #expect(info == [1])
        try await initiator.agent.allow(own, info: [2])
        try await initiator.waitUntilConnected(own)
        try await joiner.waitUntilConnected(joined)
        _ = try await joiner.agent.send(body(1), on: joined, notify: true)
        _ = try await initiator.agent.send(body(2), on: own, notify: true)
        #expect(try await initiator.waitForMessages(1) == [body(1)])
        #expect(try await joiner.waitForMessages(1) == [body(2)])
        #expect(await initiator.failures == [])
        #expect(await joiner.failures == [])
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `both sides see the same security code`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let (own, _) = try await initiator.agent.makeInvitation()
        #expect(try await initiator.agent.securityCode(of: own) == nil)
        let ids = try await connect(initiator, joiner)
        let code = try #require(try await initiator.agent.securityCode(of: ids.initiator))
        #expect(try await joiner.agent.securityCode(of: ids.joiner) == code)
        #expect(code.bytes.count == 32)
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `a peer that was away too long is told to go on`() async throws {
        let quota = 8
        let relay = try await TestRelay(quota: quota)
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        await joiner.stop()
        let count = quota + 6
        for number in 0..<count {
            _ = try await initiator.agent.send(body(number), on: ids.initiator, notify: true)
        }
        // The last message of the handshake may still lie in the queue: its acknowledgement was not waited for.
        try await initiator.wait("a full queue") { events in
            events.filter { if case .sent = $0 { true } else { false } }.count >= quota - 1 ? true : nil
        }
        let again = try await TestAgent([relay.address], folder: joiner.folder)
        #expect(try await again.waitForMessages(count) == (0..<count).map(body))
        #expect(await initiator.failures == [])
        await initiator.stop()
        await again.stop()
        await relay.stop()
    }

    @Test func `messages sent before the peer allowed arrive first`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let (own, link) = try await initiator.agent.makeInvitation()
        let joined = try await joiner.agent.join(link: link, info: [])
        _ = try await joiner.agent.send(body(1), on: joined, notify: true)
        #expect(try await initiator.waitForMessages(1) == [body(1)])
        await #expect(throws: AgentError.notReady) {
            try await initiator.agent.send(body(2), on: own, notify: true)
        }
        try await initiator.agent.allow(own, info: [7])
        try await initiator.agent.allow(own, info: [8])
        _ = try await initiator.agent.send(body(3), on: own, notify: true)
        #expect(try await joiner.waitForMessages(1) == [body(3)])
        #expect(await joiner.events.contains(.information(joined, information: [7])))
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `every accepted message is reported as sent`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        let first = try await joiner.agent.send([1], on: ids.joiner, notify: true)
        let second = try await joiner.agent.send([2], on: ids.joiner, notify: true)
        let sent = try await joiner.wait("two sent") { events in
            let sent = events.compactMap { if case .sent(_, let number) = $0 { number } else { nil } }
            return sent.count == 2 ? sent : nil
        }
        #expect(sent == [first, second])
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `a peer that was offline gets its messages later`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        await joiner.stop()
        for number in 0..<6 { _ = try await initiator.agent.send(body(number), on: ids.initiator, notify: true) }
        try await initiator.wait("all sent") { events in
            events.filter { if case .sent = $0 { true } else { false } }.count == 6 ? true : nil
        }
        let again = try await TestAgent([relay.address], folder: joiner.folder)
        #expect(try await again.waitForMessages(6) == (0..<6).map(body))
        await initiator.stop()
        await again.stop()
        await relay.stop()
    }

    @Test func `a restarted client goes on with its ratchet`() async throws {
        let relay = try await TestRelay()
        var initiator = try await TestAgent([relay.address])
        var joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        for round in 0..<3 {
            _ = try await initiator.agent.send(body(round), on: ids.initiator, notify: true)
            _ = try await joiner.agent.send(body(10 + round), on: ids.joiner, notify: true)
            #expect(try await joiner.waitForMessages(1) == [body(round)])
            #expect(try await initiator.waitForMessages(1) == [body(10 + round)])
            await initiator.stop()
            await joiner.stop()
            initiator = try await TestAgent([relay.address], folder: initiator.folder)
            joiner = try await TestAgent([relay.address], folder: joiner.folder)
        }
        let summary = try await initiator.agent.connections()
        #expect(summary.map(\.id) == [ids.initiator])
        #expect(summary.first?.phase == .connected)
        #expect(await initiator.failures == [])
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `a handshake goes on after either side restarted`() async throws {
        let relay = try await TestRelay()
        var initiator = try await TestAgent([relay.address])
        let (own, link) = try await initiator.agent.makeInvitation()
        await initiator.stop()

        var joiner = try await TestAgent([relay.address])
        let joined = try await joiner.agent.join(link: link, info: [1])
        await joiner.stop()
        joiner = try await TestAgent([relay.address], folder: joiner.folder)

        initiator = try await TestAgent([relay.address], folder: initiator.folder)
        _ = try await initiator.waitForConfirmation()
        await initiator.stop()
        initiator = try await TestAgent([relay.address], folder: initiator.folder)
        // Told again: the application may not have known it.
        let (confirmed, info) = try await initiator.waitForConfirmation()
        #expect(confirmed == own)
        #expect(info == [1])
        try await initiator.agent.allow(own, info: [2])
        await initiator.stop()
        initiator = try await TestAgent([relay.address], folder: initiator.folder)
        try await joiner.waitUntilConnected(joined)
        _ = try await joiner.agent.send([3], on: joined, notify: true)
        #expect(try await initiator.waitForMessages(1) == [[3]])
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `a deleted peer makes messages fail for good`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        try await initiator.agent.delete(ids.initiator)
        #expect(try await initiator.agent.connections() == [])
        await #expect(throws: AgentError.unknownConnection) {
            try await initiator.agent.send([1], on: ids.initiator, notify: true)
        }
        await #expect(throws: AgentError.unknownConnection) { try await initiator.agent.delete(ids.initiator) }
        await initiator.agent.finishDeleting()
        #expect(try await !initiator.agent.isStored(ids.initiator))
        #expect(relay.queueCount == 1)

        let number = try await joiner.agent.send([1], on: ids.joiner, notify: true)
        let failure = try await joiner.waitForFailure()
        #expect(failure.0 == ids.joiner)
        #expect(failure.1 == number)
        #expect(failure.2 == .peerGone)
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `the last message leaves before the connection goes`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        _ = try await initiator.agent.send(body(1), on: ids.initiator, notify: true)
        _ = try await initiator.agent.send(body(2), on: ids.initiator, notify: true)
        try await initiator.agent.delete(ids.initiator)
        #expect(try await joiner.waitForMessages(2) == [body(1), body(2)])
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `a link works once`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let first = try await TestAgent([relay.address])
        let second = try await TestAgent([relay.address])
        let (own, link) = try await initiator.agent.makeInvitation()
        _ = try await first.agent.join(link: link, info: [1])
        _ = try await initiator.waitForConfirmation()
        let late = try await second.agent.join(link: link, info: [2])
        let failure = try await second.waitForFailure()
        #expect(failure.0 == late)
        #expect(failure.1 == nil)
        #expect(failure.2 == .peerGone)
        #expect(try await second.agent.connections().first?.phase == .failed)
        #expect(await initiator.events.filter { if case .confirmation = $0 { true } else { false } }.count == 1)
        try await initiator.agent.allow(own, info: [])
        try await initiator.waitUntilConnected(own)
        for agent in [initiator, first, second] { await agent.stop() }
        await relay.stop()
    }

    @Test func `the store at rest tells nothing`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address], acknowledges: false)
        let secret = Array("a body that nobody may find on the disk".utf8)
        let ids = try await connect(initiator, joiner, info: secret, answer: secret)
        _ = try await initiator.agent.send(secret, on: ids.initiator, notify: true)
        _ = try await joiner.waitForMessages(1)
        try await joiner.agent.setApplicationData("profile", to: secret)
        for agent in [initiator, joiner] {
            for needle in [
                secret, testStoreKey.bytes, Array("127.0.0.1".utf8), Array("smp://".utf8), relay.address.keyHash,
            ] {
                #expect(try !agent.folder.contents().contains(needle))
            }
            await agent.stop()
            #expect(try !agent.folder.contents().contains(secret))
        }
        await relay.stop()
    }
}
