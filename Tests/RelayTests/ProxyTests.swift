import Cryptography
import Foundation
import Relay
import RelayRules
import SMP
import SMPSession
import SMPTransport
import TestSupport
import Testing

/// Real relays on loopback: a client, its proxy, and the relay behind.
@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
    private static let quick = TransportConfiguration(
        versions: SMPVersionRange(9...17),
        backoff: ReconnectBackoff(initial: .milliseconds(20), growAfter: .seconds(1), maximum: .milliseconds(100)))

    /// A proxy that dials this machine.
    private static var local: ProxyConfiguration {
        var configuration = ProxyConfiguration()
        configuration.reachesLocalNetworks = true
        return configuration
    }

    /// A relay for the length of a test.
    private func relay(
        versions: ClosedRange<UInt16> = 9...17, proxy: ProxyConfiguration? = nil,
        creation: QueueCreation = QueueCreation()
    ) async throws -> (server: RelayServer, address: RelayAddress, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let server = RelayServer(
            configuration: RelayConfiguration(
                port: 0, stateDirectory: folder.path, versions: SMPVersionRange(versions), creation: creation,
                proxy: proxy))
        return (server, try await server.start(), folder)
    }

    private func session(
        _ proxy: RelayAddress, to destination: RelayAddress, password: RelayPassword? = nil
    ) async throws -> (connection: RelayConnection, relay: ProxiedRelay) {
        let connection = try await RelayConnection.connect(to: proxy, configuration: Self.quick)
        let relay = try await connection.openProxySession(
            to: destination, versions: Self.quick.versions, password: password)
        return (connection, relay)
    }

    private func refusal(
        _ proxy: RelayAddress, to destination: RelayAddress, password: RelayPassword? = nil
    ) async throws -> ProxiedRequestError? {
        do {
            _ = try await session(proxy, to: destination, password: password)
            return nil
        } catch let error as ProxiedRequestError { return error }
    }

    @Test(arguments: [(9...17, 17), (9...14, 14), (9...11, 11), (9...9, 9)] as [(ClosedRange<UInt16>, UInt16)])
    func `messages pass and the relay sees the proxy only`(versions: ClosedRange<UInt16>, agreed: UInt16) async throws {
        let proxy = try await relay(proxy: Self.local)
        let destination = try await relay(versions: versions)
        let recipient = try await RelayConnection.connect(to: destination.address, configuration: Self.quick)
        let queue = try await TestQueue(on: recipient)
        #expect(destination.server.connectionCount == 1)

        let (sender, relay) = try await session(proxy.address, to: destination.address)
        #expect(relay.version == SMPVersion(rawValue: agreed))
        #expect(try await sender.request(queue.secure, through: relay) == .ok)
        let body = [UInt8](repeating: 5, count: SMPLimits.sentBody(relay.version))
        #expect(try await sender.request(queue.sender(.send(notify: true, body: body)), through: relay) == .ok)
        var events = EventReader(recipient)
        #expect(try await events.nextMessage(of: queue).body.sent == body)

        // Recipient and proxy; the sender is nowhere but at the proxy.
        #expect(destination.server.connectionCount == 2)
        #expect(proxy.server.connectionCount == 1)
        // A second sender is one more connection of the proxy, none of the relay.
        let (second, same) = try await session(proxy.address, to: destination.address)
        #expect(same.sessionID == relay.sessionID)
        await #expect(throws: ProxiedRequestError.refused(.authentication)) {
            try await second.request(queue.sender(.send(notify: false, body: [1]), secured: false), through: same)
        }
        #expect(destination.server.connectionCount == 2)
        #expect(proxy.server.connectionCount == 2)
        await proxy.server.stop()
        await destination.server.stop()
    }

    @Test func `links are read and secured through a proxy`() async throws {
        let proxy = try await relay(proxy: Self.local)
        let destination = try await relay()
        let owner = try await RelayConnection.connect(to: destination.address, configuration: Self.quick)
        let (sender, relay) = try await session(proxy.address, to: destination.address)
        let data = LinkData(fixed: [1, 2], user: [3])
        let contact = try await TestQueue(on: owner, mode: .contact(nil))
        let linkID = EntityID.random()
        #expect(try await owner.request(contact.recipient(.setLinkData(linkID: linkID, data))) == .ok)
        #expect(
            try await sender.request(RelayRequest(.getLink, entity: linkID), through: relay)
                == .link(senderID: contact.ids.senderID, data))
        await proxy.server.stop()
        await destination.server.stop()
    }

    @Test func `only senders' commands pass`() async throws {
        let proxy = try await relay(proxy: Self.local)
        let destination = try await relay()
        let owner = try await RelayConnection.connect(to: destination.address, configuration: Self.quick)
        let queue = try await TestQueue(on: owner)
        let (sender, relay) = try await session(proxy.address, to: destination.address)
        for command in [Command.subscribe, .delete, .acknowledge(.random())] {
            await #expect(throws: ProxiedRequestError.refused(.command(.prohibited))) {
                try await sender.request(queue.recipient(command), through: relay)
            }
        }
        // Nor can a proxy be asked through a proxy.
        await #expect(throws: ProxiedRequestError.refused(.command(.prohibited))) {
            try await sender.request(
                RelayRequest(.openProxySession(proxy.address, password: nil)), through: relay)
        }
        await proxy.server.stop()
        await destination.server.stop()
    }

    @Test func `only who may make queues may send through the relay`() async throws {
        let password = try RelayPassword(parsing: "secret")
        let closed = try await relay()
        let guarded = try await relay(proxy: Self.local, creation: QueueCreation(password: password))
        let destination = try await relay()
        #expect(try await refusal(closed.address, to: destination.address) == .notForwarding)
        #expect(try await refusal(guarded.address, to: destination.address) == .notForwarding)
        #expect(
            try await refusal(guarded.address, to: destination.address, password: RelayPassword(parsing: "guess"))
                == .notForwarding)
        #expect(destination.server.connectionCount == 0)
        #expect(try await refusal(guarded.address, to: destination.address, password: password) == nil)
        // A relay that doesn't forward knows no session.
        let (_, relay) = try await session(guarded.address, to: destination.address, password: password)
        let connection = try await RelayConnection.connect(to: closed.address, configuration: Self.quick)
        await #expect(throws: ProxiedRequestError.sessionLost) {
            try await connection.request(RelayRequest(.getLink, entity: .random()), through: relay)
        }
        for server in [closed.server, guarded.server, destination.server] { await server.stop() }
    }

    @Test func `why a relay cannot be reached is not told`() async throws {
        let proxy = try await relay(proxy: Self.local)
        let destination = try await relay(versions: 11...13)
        let address = destination.address
        #expect(try await refusal(proxy.address, to: address) == .broker(.transport(.version)))
        let stranger = try RelayAddress(hosts: address.hosts, port: address.port, keyHash: Digest.sha256([1]))
        #expect(try await refusal(proxy.address, to: stranger) == .broker(.network(nil)))
        let onion = try RelayAddress(hosts: ["abc.onion"], port: nil, keyHash: address.keyHash)
        #expect(try await refusal(proxy.address, to: onion) == .broker(.network(nil)))
        await destination.server.stop()
        let gone = try RelayAddress(hosts: ["127.0.0.1"], port: address.port, keyHash: address.keyHash)
        try await waitUntil("a proxy that has forgotten the failure") {
            try await refusal(proxy.address, to: gone) == .broker(.network(nil))
        }
        await proxy.server.stop()
    }

    @Test func `a relay for strangers says nothing to private networks`() async throws {
        let server = try SilentServer()
        let named = try RelayAddress(hosts: ["127.0.0.1"], port: server.port, keyHash: Digest.sha256([1]))
        var configuration = ProxyConfiguration()
        configuration.reachesLocalNetworks = false
        let guarded = try await relay(proxy: configuration)
        #expect(try await refusal(guarded.address, to: named) == .broker(.network(nil)))
        // The same server hears from a relay that may dial it.
        configuration.reachesLocalNetworks = true
        configuration.connectTimeout = .milliseconds(500)
        let open = try await relay(proxy: configuration)
        #expect(try await refusal(open.address, to: named) == .broker(.network(nil)))
        try await waitUntil("the end of the only connection") { server.ended.count == 1 }
        #expect(try #require(server.ended.last) > 0)
        server.stop()
        await guarded.server.stop()
        await open.server.stop()
    }

    @Test(arguments: [false, true])
    func `a relay forwards to itself but dials nothing else under its name`(reachesLocalNetworks: Bool) async throws {
        var configuration = ProxyConfiguration()
        configuration.reachesLocalNetworks = reachesLocalNetworks
        let only = try await relay(proxy: configuration)
        let recipient = try await RelayConnection.connect(to: only.address, configuration: Self.quick)
        let queue = try await TestQueue(on: recipient)
        let server = try SilentServer()
        let lure = try RelayAddress(hosts: ["127.0.0.1"], port: server.port, keyHash: only.address.keyHash)
        let (sender, relay) = try await session(only.address, to: lure)
        #expect(try await sender.request(queue.secure, through: relay) == .ok)
        let (other, same) = try await session(only.address, to: only.address)
        #expect(same.sessionID == relay.sessionID)
        #expect(try await other.request(queue.sender(.send(notify: true, body: [7])), through: same) == .ok)
        var events = EventReader(recipient)
        #expect(try await events.nextMessage(of: queue).body.sent == [7])
        // Recipient, two senders, and the relay's own.
        #expect(only.server.connectionCount == 4)
        #expect(server.received.isEmpty && server.ended.isEmpty)
        server.stop()
        await only.server.stop()
    }

    @Test func `an unknown session is refused and made anew`() async throws {
        let proxy = try await relay(proxy: Self.local)
        let destination = try await relay()
        let recipient = try await RelayConnection.connect(to: destination.address, configuration: Self.quick)
        let queue = try await TestQueue(on: recipient)
        let sender = RelayClient(address: proxy.address, configuration: Self.quick)
        await sender.start()
        #expect(try await sender.request(queue.secure, throughTo: destination.address) == .ok)
        #expect(
            try await sender.request(queue.sender(.send(notify: false, body: [1])), throughTo: destination.address)
                == .ok)
        await destination.server.stop()
        try await destination.server.start()
        // The proxy knows no session any more or is about to notice: the client opens another by itself.
        try await waitUntil("a message through the relay that came back") {
            let answer = try? await sender.request(
                queue.sender(.send(notify: false, body: [2])), throughTo: destination.address)
            return answer == .ok
        }
        let again = try await RelayConnection.connect(to: destination.address, configuration: Self.quick)
        _ = try await again.request(queue.recipient(.subscribe))
        var events = EventReader(again)
        #expect(try await events.nextMessage(of: queue).body.sent == [1])
        await sender.stop()
        await proxy.server.stop()
        await destination.server.stop()
    }

    @Test func `a proxy that came back serves its clients again`() async throws {
        let proxy = try await relay(proxy: Self.local)
        let destination = try await relay()
        let recipient = try await RelayConnection.connect(to: destination.address, configuration: Self.quick)
        let queue = try await TestQueue(on: recipient)
        let sender = RelayClient(address: proxy.address, configuration: Self.quick)
        await sender.start()
        #expect(try await sender.request(queue.secure, throughTo: destination.address) == .ok)
        await proxy.server.stop()
        // Its connection to the relay ended with it.
        try await waitUntil("the recipient alone") { destination.server.connectionCount == 1 }
        try await proxy.server.start()
        try await waitUntil("a message through the proxy that came back") {
            let answer = try? await sender.request(
                queue.sender(.send(notify: false, body: [2])), throughTo: destination.address)
            return answer == .ok
        }
        var events = EventReader(recipient)
        #expect(try await events.nextMessage(of: queue).body.sent == [2])
        await sender.stop()
        await proxy.server.stop()
        await destination.server.stop()
    }

    @Test func `many commands of one client wait for each other`() async throws {
        var configuration = Self.local
        configuration.concurrencyPerClient = 4
        let proxy = try await relay(proxy: configuration)
        let destination = try await relay()
        let recipient = try await RelayConnection.connect(to: destination.address, configuration: Self.quick)
        let queue = try await TestQueue(on: recipient)
        let (sender, relay) = try await session(proxy.address, to: destination.address)
        #expect(try await sender.request(queue.secure, through: relay) == .ok)
        let count = 40
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    let request = queue.sender(.send(notify: false, body: [UInt8(number)]))
                    return (try? await sender.request(request, through: relay)) == .ok
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(answers.filter { $0 }.count == count)
        var events = EventReader(recipient)
        var bodies: Set<[UInt8]> = []
        for _ in 0..<count {
            let (id, body) = try await events.nextMessage(of: queue)
            if let sent = body.sent { bodies.insert(sent) }
            let next = try await recipient.request(queue.recipient(.acknowledge(id)))
            guard case .message(let second, let sealed) = next else { continue }
            if let sent = try queue.open(sealed, second).sent { bodies.insert(sent) }
            var last = second
            while case .message(let following, let more) = try await recipient.request(
                queue.recipient(.acknowledge(last)))
            {
                if let sent = try queue.open(more, following).sent { bodies.insert(sent) }
                last = following
            }
            break
        }
        #expect(bodies.count == count)
        await proxy.server.stop()
        await destination.server.stop()
    }

    @Test func `an unused connection to a relay is closed`() async throws {
        var configuration = Self.local
        configuration.idleTimeout = .milliseconds(100)
        let proxy = try await relay(proxy: configuration)
        let destination = try await relay()
        let (_, relay) = try await session(proxy.address, to: destination.address)
        #expect(relay.sessionID.count == 32)
        try await waitUntil("no connection") { destination.server.connectionCount == 0 }
        await proxy.server.stop()
        await destination.server.stop()
    }
}
