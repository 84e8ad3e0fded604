import Cryptography
import Foundation
import SMP
import SMPTransport
import TestSupport
import Testing

@testable import Agent
@testable import SMPSession

/// Clients and agents that send through somebody who cheats.
@Suite(.timeLimit(.minutes(5))) struct HostileProxyTests {
    /// Who keeps count of what arrives.
    private struct Recipient {
        let connection: RelayConnection
        let key: AuthenticationPrivateKey
        let queue: QueueIDs

        func messageCount() async throws -> Int {
            struct Information: Decodable {
                var qiSize: Int
            }
            let answer = try await connection.request(
                RelayRequest(.queueInfo, entity: queue.recipientID, key: key))
            guard case .queueInfo(let json) = answer else { throw RelayRequestError.unexpectedResponse }
            return try JSONDecoder().decode(Information.self, from: Data(json)).qiSize
        }
    }

    /// A queue with a subscribed recipient, and a client of the proxy.
    private func arrange(
        _ proxy: HostileProxy, _ relay: TestRelay
    ) async throws -> (recipient: Recipient, queue: QueueIDs, sender: RelayClient) {
        let recipient = try await RelayConnection.connect(to: relay.address)
        let key = AuthenticationPrivateKey.ed25519(.init())
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: true,
            link: .messaging(nil))
        guard case .queue(let ids) = try await recipient.request(RelayRequest(.new(request), key: key)) else {
            throw RelayRequestError.unexpectedResponse
        }
        let sender = RelayClient(address: proxy.address)
        await sender.start()
        return (Recipient(connection: recipient, key: key, queue: ids), ids, sender)
    }

    private func failure(
        _ sender: RelayClient, _ queue: QueueIDs, _ relay: TestRelay
    ) async -> ProxiedRequestError? {
        do throws(ProxiedRequestError) {
            _ = try await sender.request(
                RelayRequest(.send(notify: false, body: [1]), entity: queue.senderID), throughTo: relay.address)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            (.ownKey, .identity(.wrongFingerprint)), (.ownKeyUnderTheirCertificate, .identity(.hello(.signature))),
            (.changedCommand, .notTaken(.crypto)),
        ] as [(HostileProxy.Deceit, ProxiedRequestError)])
    func `nothing is delivered and the client knows why`(
        deceit: HostileProxy.Deceit, expected: ProxiedRequestError
    ) async throws {
        let relay = try await TestRelay()
        let proxy = try await HostileProxy(deceit)
        let (recipient, queue, sender) = try await arrange(proxy, relay)
        #expect(await failure(sender, queue, relay) == expected)
        #expect(try await recipient.messageCount() == 0)
        // It was the proxy, not the way.
        proxy.cheat(.none)
        #expect(await failure(sender, queue, relay) == nil)
        #expect(try await recipient.messageCount() == 1)
        await sender.stop()
        await recipient.connection.close()
        await proxy.stop()
        await relay.stop()
    }

    @Test func `a forged or repeated answer is no answer`() async throws {
        let relay = try await TestRelay()
        let proxy = try await HostileProxy(.none)
        let (recipient, queue, sender) = try await arrange(proxy, relay)
        #expect(await failure(sender, queue, relay) == nil)
        proxy.cheat(.changedAnswer)
        #expect(await failure(sender, queue, relay) == .forged)
        proxy.cheat(.replayedAnswer)
        #expect(await failure(sender, queue, relay) == .forged)
        // What the proxy kept to itself was not delivered, and is not taken for delivered.
        #expect(try await recipient.messageCount() == 2)
        await sender.stop()
        await recipient.connection.close()
        await proxy.stop()
        await relay.stop()
    }

    @Test(arguments: [HostileProxy.Deceit.ownKey, .ownKeyUnderTheirCertificate, .changedCommand, .changedAnswer])
    func `another proxy is used and the person is told`(deceit: HostileProxy.Deceit) async throws {
        let hostile = try await HostileProxy(deceit)
        let honest = try await TestRelay(forwards: true)
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let sender = try await TestAgent(
            [hostile.address, honest.address],
            routing: PrivateRouting(mode: .unknownRelays, fallback: []))
        // The initiator's relay is the unknown one.
        let ids = try await connect(owner, sender)
        for number in 0..<3 as Range<UInt8> {
            _ = try await sender.agent.send([number], on: ids.joiner, notify: true)
        }
        #expect(try await owner.waitForMessages(3) == [[0], [1], [2]])
        #expect(await sender.failures == [])
        #expect(await owner.failures == [])
        let counts = await sender.agent.routingCounts
        #expect(counts.direct == 0)
        #expect(counts.directByFallback == 0)
        let told = await sender.events.filter { if case .routing = $0 { true } else { false } }
        if counts.distrusted > 0 {
            #expect(
                told == [.routing(relay.address, .distrusted(proxy: hostile.address.text))])
        } else {
            #expect(told == [])
        }
        await owner.stop()
        await sender.stop()
        await hostile.stop()
        await honest.stop()
        await relay.stop()
    }

    @Test func `a command handed on twice arrives once`() async throws {
        let hostile = try await HostileProxy(.repeatedCommand)
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let sender = try await TestAgent(
            [hostile.address], routing: PrivateRouting(mode: .unknownRelays, fallback: []))
        let ids = try await connect(owner, sender)
        for number in 0..<5 as Range<UInt8> {
            _ = try await sender.agent.send([number], on: ids.joiner, notify: true)
        }
        #expect(try await owner.waitForMessages(5) == (0..<5).map { [$0] })
        _ = try await owner.agent.send([9], on: ids.initiator, notify: true)
        #expect(try await sender.waitForMessages(1) == [[9]])
        #expect(await owner.messages.map(\.body) == (0..<5).map { [$0] })
        #expect(await owner.failures == [])
        await owner.stop()
        await sender.stop()
        await hostile.stop()
        await relay.stop()
    }
}
