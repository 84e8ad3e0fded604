import BaseKit
import Cryptography
import Glibc
import SMP
import SMPSession
import SMPTransport

// Attacks on what a relay does not do for strangers.
extension Attacker {
    /// Guesses passwords over several connections of each address.
    func guessPasswords() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { await forEachAddress { try await guessPasswords(from: $0) } }
            }
        }
    }

    private func guessPasswords(from address: String) async throws {
        let key = AuthenticationPrivateKey.ed25519(.init())
        while .now < end {
            // Who has to wait may try a new connection.
            let connection = try await connect(from: address, patience: .seconds(2))
            while .now < end {
                let password = try RelayPassword(parsing: "guess\(UInt64.random(in: 0...UInt64.max))")
                let request = QueueRequest(
                    recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, password: password,
                    subscribes: false, link: .messaging(nil))
                do throws(RelayRequestError) {
                    _ = try await connection.request(RelayRequest(.new(request), key: key))
                    tally.count("queues made")
                } catch .refused(.authentication) {
                    tally.count("guesses answered")
                } catch {
                    break
                }
            }
            await connection.close()
        }
    }

    /// Asks a proxy for ports of its own machine.
    func probe() async throws {
        let (open, closed) = (try Port(), try Port())
        closed.close()
        await forEachAddress { address in
            let connection = try await connect(from: address)
            var isOpen = false
            while .now < end {
                isOpen.toggle()
                // Another fingerprint each time, so that no answer is remembered.
                let other = try RelayAddress(
                    hosts: ["127.0.0.1"], port: isOpen ? open.number : closed.number, keyHash: randomBytes(32))
                do throws(ProxiedRequestError) {
                    _ = try await connection.openProxySession(
                        to: other, versions: TransportConfiguration.defaultVersions)
                    tally.count("sessions")
                } catch {
                    let told = error == .broker(.network(nil)) ? "BROKER NETWORK" : "\(error)"
                    tally.count("times \(told) for \(isOpen ? "an open" : "a closed") port")
                }
                let reached = open.accept()
                if reached > 0 { tally.count("connections made", reached) }
            }
            await connection.close()
        }
    }

    /// Messages into own queues, also when there is no room for more.
    func fillDisk() async {
        await forEachAddress { address in
            let connection = try await connect(from: address)
            var ids = try await makeQueue(on: connection, link: .messaging(nil), key: .ed25519(.init()))
            while .now < end {
                let requests = (0..<32).map { _ in
                    RelayRequest(.send(notify: false, body: Self.body), entity: ids.senderID)
                }
                for result in await connection.requests(requests) {
                    switch result {
                    case .success: tally.count("stored")
                    case .failure(.refused(.store)): tally.count("refused for want of room")
                    case .failure: tally.count("refused")
                    }
                }
                let next = try? await makeQueue(on: connection, link: .messaging(nil), key: .ed25519(.init()))
                ids = next ?? ids
            }
            await connection.close()
        }
    }

    /// Small messages into own queues, as fast as they go.
    func sendShortLived() async {
        await forEachAddress { address in
            let connection = try await connect(from: address)
            while .now < end {
                let ids = try await makeQueue(on: connection, link: .messaging(nil), key: .ed25519(.init()))
                let requests = (0..<96).map { _ in
                    RelayRequest(.send(notify: false, body: [0x58]), entity: ids.senderID)
                }
                for case .success in await connection.requests(requests) { tally.count("stored") }
            }
            await connection.close()
        }
    }
}

/// A port of this machine that counts who connects.
private final class Port: Sendable {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = RawSocket.endpoint("127.0.0.1", 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isOpen else { throw BenchError.setUp("no port can be opened") }
        number = UInt16(bigEndian: address.sin_port)
    }

    /// How many have connected since the last time.
    func accept() -> Int {
        var count = 0
        while case let other = Glibc.accept(descriptor, nil, nil), other >= 0 {
            Glibc.close(other)
            count += 1
        }
        return count
    }

    func close() { Glibc.close(descriptor) }
}
