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

    private static let body = [UInt8](repeating: 0x58, count: 16_000)

    private func connect(from address: String) async throws -> RelayConnection {
        var configuration = Subject.transport
        configuration.localAddress = address
        return try await RelayConnection.connect(to: relay, configuration: configuration)
    }

    /// Runs something for each address until it throws or time is over; what a relay refuses is what is measured.
    private func forEachAddress(_ body: @escaping @Sendable (String) async throws -> Void) async {
        await withDiscardingTaskGroup { group in
            for address in Attack.addresses { group.addTask { try? await body(address) } }
        }
    }

    private func makeQueue(
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
                    _ = await connection.requests(requests)
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

/// Sockets from several addresses that say nothing; those that are closed are opened again.
struct SilentSockets: Sendable {
    let relay: RelayAddress
    let count: Int

    func hold(until end: Instant) async {
        var open = [Int32](repeating: -1, count: count)
        while .now < end {
            for index in open.indices where .now < end {
                if open[index] >= 0, isOpen(open[index]) { continue }
                if open[index] >= 0 { close(open[index]) }
                open[index] = dial(from: Attack.addresses[index % Attack.addresses.count])
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
        for descriptor in open where descriptor >= 0 { close(descriptor) }
    }

    /// Nothing has come but what keeps it open.
    private func isOpen(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let result = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK))
        return result > 0 || (result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
    }

    private func dial(from address: String) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        let own = Self.endpoint(address, 0)
        let other = Self.endpoint(relay.hosts.first ?? "127.0.0.1", relay.effectivePort)
        guard Self.with(own, { bind(descriptor, $0, $1) }) == 0, Self.with(other, { connect(descriptor, $0, $1) }) == 0
        else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    private static func endpoint(_ host: String, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return address
    }

    private static func with(
        _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
