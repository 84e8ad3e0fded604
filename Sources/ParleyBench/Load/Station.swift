import Cryptography
import SMP
import SMPSession
import SMPTransport

/// One connection of the load with its keys.
final class Station: Sendable {
    let connection: RelayConnection
    /// A mirror checks no authenticators, but gets them as a relay does: the load is the same.
    let keys = StationKeys()
    private let isMirror: Bool
    private let password: RelayPassword?

    private init(connection: RelayConnection, isMirror: Bool, password: RelayPassword?) {
        self.connection = connection
        self.isMirror = isMirror
        self.password = password
    }

    /// - Parameter own: the own address to connect from; nil as the system chooses.
    static func connect(to subject: Subject, from own: String? = nil) async throws(BenchError) -> Station {
        do throws(TransportError) {
            var configuration = Subject.transport
            configuration.localAddress = own
            let connection = try await RelayConnection.connect(to: subject.address, configuration: configuration)
            return Station(
                connection: connection, isMirror: subject.isMirror, password: subject.address.password)
        } catch {
            throw .connect("\(error)")
        }
    }

    /// NEW.
    func creation(subscribes: Bool) -> RelayRequest {
        let request = QueueRequest(
            recipientKey: keys.recipient.publicKey, agreementKey: keys.agreement.publicKey, password: password,
            subscribes: subscribes, link: .messaging(nil))
        return RelayRequest(.new(request), key: keys.recipient)
    }

    /// Makes queues, subscribed if wanted and secured with the sender's key, many in a block.
    func makeQueues(_ count: Int, subscribed: Bool = true, secured: Bool = true) async throws(BenchError) -> [LoadQueue]
    {
        if isMirror { return try await subscribeMirror(count) }
        var queues: [LoadQueue] = []
        let requests = (0..<count).map { _ in creation(subscribes: subscribed) }
        for result in await connection.requests(requests) {
            switch result {
            case .success(.queue(let ids)):
                let secret = try? keys.agreement.sharedSecret(with: ids.serverKey)
                queues.append(LoadQueue(recipientID: ids.recipientID, senderID: ids.senderID, secret: secret))
            case .success: throw .setUp("It answered NEW with something else.")
            case .failure(let error): throw .setUp("\(error)")
            }
        }
        if secured { try await secure(queues) }
        return queues
    }

    /// SKEY, in blocks after those of NEW: commands that build on one another must not share one.
    private func secure(_ queues: [LoadQueue]) async throws(BenchError) {
        try await expectSuccess(
            queues.map {
                RelayRequest(.secure(keys.sender.publicKey), entity: $0.senderID, key: keys.sender)
            })
    }

    private func subscribeMirror(_ count: Int) async throws(BenchError) -> [LoadQueue] {
        let queues = (0..<count).map { _ in
            let id = EntityID.random()
            return LoadQueue(recipientID: id, senderID: id, secret: nil)
        }
        try await expectSuccess(queues.map { RelayRequest(.subscribe, entity: $0.recipientID, key: keys.recipient) })
        return queues
    }

    private func expectSuccess(_ requests: [RelayRequest]) async throws(BenchError) {
        for case .failure(let error) in await connection.requests(requests) { throw .setUp("\(error)") }
    }
}
