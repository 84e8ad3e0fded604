import BaseKit
import Cryptography
import Glibc
import SMP
import SMPSession
import SMPTransport

/// Connections from several addresses of this machine that ask a relay for too much.
struct Attacker: Sendable {
    let relay: RelayAddress
    let end: Instant
    let tally: Tally

    static let body = [UInt8](repeating: 0x58, count: 16_000)

    func connect(
        from address: String, patience: Duration = Subject.transport.commandTimeout
    ) async throws -> RelayConnection {
        var configuration = Subject.transport
        configuration.localAddress = address
        configuration.commandTimeout = patience
        return try await RelayConnection.connect(to: relay, configuration: configuration)
    }

    /// Runs something for each address until it throws or time is over; what a relay refuses is what is measured.
    func forEachAddress(_ body: @escaping @Sendable (String) async throws -> Void) async {
        await withDiscardingTaskGroup { group in
            for address in Attack.addresses { group.addTask { try? await body(address) } }
        }
    }

    func makeQueue(
        on connection: RelayConnection, link: QueueRequest.Link, key: AuthenticationPrivateKey
    ) async throws -> QueueIDs {
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: false, link: link)
        let answer = try await connection.request(RelayRequest(.new(request), key: key))
        guard case .queue(let ids) = answer else { throw RelayRequestError.unexpectedResponse }
        return ids
    }

    /// Blocks of QUE that are checked against the most keys a queue may have, at a rate for each address.
    func askCostly(blocksPerSecond rate: Double) async {
        await forEachAddress { address in
            let connection = try await connect(from: address)
            let keys = (0..<16).map { _ in AuthenticationPrivateKey.ed448(.init()) }
            let ids = try await makeQueue(on: connection, link: .contact(nil), key: keys[0])
            // Relays take 16 keys, or 4.
            for count in [16, 4] {
                let command = Command.setRecipientKeys(keys.prefix(count).map(\.publicKey))
                let request = RelayRequest(command, entity: ids.recipientID, key: keys[0])
                if (try? await connection.request(request)) == .ok { break }
            }
            while .now < end {
                let next = Instant.now + .seconds(1 / rate)
                let questions = (0..<90).map { _ in RelayRequest(.queueInfo, entity: ids.recipientID, key: keys[0]) }
                // The next block does not wait for this one's answers.
                Task { _ = await connection.requests(questions) }
                try await Task.sleep(for: next - .now)
            }
            await connection.close()
        }
    }

    /// Messages into own queues, at a rate for each address.
    func send(blocksPerSecond rate: Double) async {
        await forEachAddress { address in
            let connection = try await connect(from: address)
            var sent = 0
            var ids = try await makeQueue(on: connection, link: .messaging(nil), key: .ed25519(.init()))
            while .now < end {
                let next = Instant.now + .seconds(1 / rate)
                if sent % 128 == 127 {
                    ids = try await makeQueue(on: connection, link: .messaging(nil), key: .ed25519(.init()))
                }
                let request = RelayRequest(.send(notify: false, body: Self.body), entity: ids.senderID)
                Task { _ = try? await connection.request(request) }
                sent += 1
                try await Task.sleep(for: next - .now)
            }
            await connection.close()
        }
    }

    /// Messages into own queues as fast as they go, from one connection of each address.
    func fill(messages: Int) async {
        await forEachAddress { address in
            let connection = try await connect(from: address)
            var left = messages / Attack.addresses.count
            while left > 0, .now < end {
                let ids = try await makeQueue(on: connection, link: .messaging(nil), key: .ed25519(.init()))
                for _ in 0..<4 where .now < end {
                    let requests = (0..<32).map { _ in
                        RelayRequest(.send(notify: false, body: Self.body), entity: ids.senderID)
                    }
                    for case .success in await connection.requests(requests) { tally.count("stored") }
                    left -= requests.count
                }
            }
            await connection.close()
        }
    }

    /// Asks for many messages and stops reading: the whole process stops, and what is sent to it stays where it is.
    func ignoreAnswers() async throws {
        var connections: [(RelayConnection, EntityID, AuthenticationPrivateKey)] = []
        for index in 0..<60 {
            let connection = try await connect(from: Attack.addresses[index % Attack.addresses.count])
            let key = AuthenticationPrivateKey.ed25519(.init())
            let ids = try await makeQueue(on: connection, link: .messaging(nil), key: key)
            _ = try await connection.request(
                RelayRequest(.send(notify: false, body: Self.body), entity: ids.senderID))
            connections.append((connection, ids.recipientID, key))
        }
        for (connection, id, key) in connections {
            let questions = (0..<1_000).map { _ in RelayRequest(.get, entity: id, key: key) }
            Task { _ = await connection.requests(questions) }
        }
        // Until the questions are signed and on their way.
        try await Task.sleep(for: .seconds(2))
        raise(SIGSTOP)
    }
}
