import Cryptography
import Foundation
import SMP
import SMPSession
import SMPTransport
import Synchronization
import Testing

/// The relay is killed again and again while messages flow; afterwards they are counted.
struct KillTests {
    private static let kills = 50
    private static let conversations = 4

    /// One queue with its sender and its recipient, who come back after each death of the relay.
    private struct Conversation: Sendable {
        let address: RelayAddress
        let recipientID: EntityID
        let senderID: EntityID
        let recipientKey: AuthenticationPrivateKey
        let secret: SecretBytes
        let isOver: @Sendable () -> Bool
        /// Set when the sender will send no more.
        let isSent = Flag()
        /// Set when a message was answered OK.
        let isUnderWay = Flag()

        init(at address: RelayAddress, isOver: @escaping @Sendable () -> Bool) async throws {
            self.address = address
            self.isOver = isOver
            recipientKey = .ed25519(.init())
            let agreement = X25519.PrivateKey()
            let connection = try await RelayConnection.connect(to: address)
            let request = QueueRequest(
                recipientKey: recipientKey.publicKey, agreementKey: agreement.publicKey, subscribes: false,
                link: .messaging(nil))
            let answer = try await connection.request(RelayRequest(.new(request), key: recipientKey))
            guard case .queue(let ids) = answer else { throw RelayRequestError.unexpectedResponse }
            (recipientID, senderID) = (ids.recipientID, ids.senderID)
            secret = try agreement.sharedSecret(with: ids.serverKey)
            await connection.close()
        }

        private func connect() async -> RelayConnection? {
            while !Task.isCancelled {
                if let connection = try? await RelayConnection.connect(to: address) { return connection }
                try? await Task.sleep(for: .milliseconds(5))
            }
            return nil
        }

        /// Sends 0, 1, 2, …, each until it is answered OK; how many were.
        func send() async -> UInt32 {
            var number: UInt32 = 0
            while !isOver(), let connection = await connect() {
                let body = { withUnsafeBytes(of: number.bigEndian, Array.init) }
                while !isOver() {
                    let request = RelayRequest(.send(notify: false, body: body()), entity: senderID)
                    do throws(RelayRequestError) {
                        guard try await connection.request(request) == .ok else { break }
                        number += 1
                        isUnderWay.set()
                    } catch .refused(.quota) {
                        try? await Task.sleep(for: .milliseconds(5))
                    } catch {
                        break
                    }
                }
                await connection.close()
            }
            isSent.set()
            return number
        }

        /// What a recipient has seen.
        struct Account: Sendable {
            var numbers: [UInt32] = []
            var acknowledged: Set<MessageID> = []
            /// Delivered although the same relay, not killed since, had answered their ACK.
            var ghosts = 0
        }

        /// Receives and acknowledges until the sender is through and the queue is empty.
        func receive() async -> Account {
            var account = Account()
            var last: MessageID?
            while let connection = await connect() {
                let isEmpty = (try? await drain(connection, &account, &last)) ?? false
                await connection.close()
                if isEmpty { break }
            }
            return account
        }

        /// Fetches one by one; true when nothing is left.
        private func drain(
            _ connection: RelayConnection, _ account: inout Account, _ last: inout MessageID?
        ) async throws -> Bool {
            var answered: Set<MessageID> = []
            while true {
                let isLast = isSent.isSet
                let answer = try await connection.request(
                    RelayRequest(.get, entity: recipientID, key: recipientKey))
                guard case .message(let id, let sealed) = answer else {
                    if isLast { return true }
                    try await Task.sleep(for: .milliseconds(1))
                    continue
                }
                if answered.contains(id) { account.ghosts += 1 }
                let body = try MessageBody(opening: sealed, secret: secret, id: id)
                // A killed relay may forget an ACK, as it may never have got it: recipients tell a repeat by its id.
                if case .message(_, _, let bytes) = body, id != last, !account.acknowledged.contains(id) {
                    account.numbers.append(bytes.reduce(0) { $0 << 8 | UInt32($1) })
                }
                last = id
                _ = try await connection.request(
                    RelayRequest(.acknowledge(id), entity: recipientID, key: recipientKey))
                account.acknowledged.insert(id)
                answered.insert(id)
            }
        }
    }

    /// A relay on a port that no outgoing connection is given while the relay is dead.
    private func launch(_ state: String) throws -> (RelayProcess, RelayAddress) {
        for _ in 0..<20 {
            let relay = try RelayProcess(["--listen", "127.0.0.1:\(Int.random(in: 12_000..<32_000))", "--state", state])
            if let address = try? relay.address() { return (relay, address) }
            relay.end(SIGKILL)
        }
        throw TransportError.cannotListen("no free port")
    }

    @Test(.timeLimit(.minutes(5))) func `no answered message is lost and none comes twice`() async throws {
        try await withState { state in
            var (relay, address) = try launch(state)
            let stopped = Flag()
            try await withThrowingTaskGroup(of: (sent: UInt32, account: Conversation.Account).self) { group in
                var senders: [Conversation] = []
                for _ in 0..<Self.conversations {
                    let sender = try await Conversation(at: address, isOver: { stopped.isSet })
                    senders.append(sender)
                    group.addTask {
                        async let sent = sender.send()
                        async let account = sender.receive()
                        return await (sent, account)
                    }
                }
                for round in 0..<Self.kills {
                    // Not always at the same moment of the relay's work.
                    try await Task.sleep(for: .milliseconds(20 + round * 37 % 80))
                    relay.end(SIGKILL)
                    relay = try RelayProcess(["--listen", "127.0.0.1:\(address.port ?? 0)", "--state", state])
                    let again = try relay.address()
                    #expect(again == address)
                }
                // On a busy machine some get through only now.
                while !senders.allSatisfy(\.isUnderWay.isSet) { try await Task.sleep(for: .milliseconds(20)) }
                stopped.set()
                for try await (sent, account) in group {
                    #expect(sent > 0)
                    #expect(account.ghosts == 0)
                    // A message whose answer was lost is sent again and may be there twice, side by side.
                    var distinct: [UInt32] = []
                    for number in account.numbers where number != distinct.last { distinct.append(number) }
                    #expect(distinct.prefix(Int(sent)) == Array(0..<sent)[...])
                    #expect(distinct.count <= Int(sent) + 1)
                    #expect(account.numbers.count - distinct.count <= Self.kills)
                }
            }
            relay.end(SIGTERM)
        }
    }
}

/// Set once, read by anybody.
private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
