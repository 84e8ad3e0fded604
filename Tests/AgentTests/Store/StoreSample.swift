import Cryptography
import Foundation
import GRDB
import TestSupport

@testable import Agent

/// What the stores in `Tests/Stores` hold: one of everything that their schema knows.
///
/// `agent-N.sql` is the dump of a store of schema N, sealed with `testStoreKey`. They are never made again: that they open
/// shows that profiles of every earlier version do.
enum StoreSample {
    static let connection = ConnectionID(rawValue: "contact")
    static let address = ConnectionID(rawValue: "address")
    static let relay = "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@relay.example"

    static func secret(_ byte: UInt8) -> SecretBytes { SecretBytes([UInt8](repeating: byte, count: 32)) }

    static func contact(schema: Int) -> ConnectionRecord {
        var record = ConnectionRecord(
            id: connection, role: .joiner, state: .connected, agentVersion: 7, createdAt: 1_700_000_000_000,
            ratchet: SecretBytes([1, 2, 3]), chains: [4, 5], ownInformation: [6], peerInformation: [7])
        if schema >= 2 { record.integrity = [0] }
        if schema >= 3 {
            record.synchronisation = .started
            record.synchronisationKeys = secret(9)
            record.seenRatchetKeys = [UInt8](repeating: 8, count: 32)
        }
        if schema >= 5 { record.rotation = .offered }
        return record
    }

    static let contactAddress = ConnectionRecord(
        id: address, role: .initiator, state: .invited, agentVersion: 7, isAddress: true, createdAt: 1_700_000_000_001,
        agreementKeys: secret(10))

    static func receiveQueue(schema: Int) -> ReceiveQueueRecord {
        var record = ReceiveQueueRecord(
            id: 1, connection: connection, isFast: true, relay: relay, recipientID: [1], senderID: [2],
            authenticationKey: secret(3), deliverySecret: secret(4), queueKey: secret(5), queueSecret: secret(6),
            peerAuthenticationKey: [7])
        if schema >= 5 { record.isCandidate = true }
        if schema >= 6 {
            record.shortLink = "https://relay.example/i#x"
            record.linkKey = secret(8)
        }
        return record
    }

    static let sendQueue = SendQueueRecord(
        id: 1, connection: connection, isFast: true, clientVersion: 4, relay: relay, senderID: [1],
        authenticationKey: secret(1), queueKey: secret(2), queueSecret: secret(3))

    static let outgoing = OutgoingRecord(
        id: 1, connection: connection, kind: .application, notify: true, createdAt: 1_700_000_000_002, body: [1, 2],
        envelope: [3])

    static func received(schema: Int) -> ReceivedRecord {
        ReceivedRecord(
            id: 1, connection: connection, receiveQueue: 1, receivedAt: 1_700_000_000_003, brokerTime: 1_700_000_000,
            isAcknowledged: false, integrity: [0], body: [9, 9], receipt: schema >= 2 ? [5] : nil)
    }

    static let sent = SentRecord(
        id: 7, connection: connection, chainNumber: 3, sentAt: 1_700_000_000_004, hash: Digest.sha256([1]))

    static let request = RequestRecord(id: 1, address: address, brokerTime: 1_700_000_001, link: [1], information: [2])

    static let record = ApplicationRecordDraft(key: [1, 2], value: [3, 4])

    static func fill(_ transaction: StoreTransaction) throws {
        let schema = StoreSchema.version
        try transaction.insert(contact(schema: schema))
        try transaction.update(contact(schema: schema))
        try transaction.insert(contactAddress)
        _ = try transaction.insert(receiveQueue(schema: schema))
        _ = try transaction.insert(sendQueue)
        _ = try transaction.insert(outgoing)
        _ = try transaction.insert(received(schema: schema), relayID: [1], content: [2])
        try transaction.insert(sent)
        _ = try transaction.insert(request)
        try transaction.setApplicationData("contacts", [1, 2, 3])
        _ = try transaction.keyOfOpenedLink([1])
        _ = try transaction.appendRecord(record, to: "records")
    }

    /// Makes the store of a schema in a new folder.
    static func folder(schema: Int) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let dump = Vectors.repository.appendingPathComponent("Tests/Stores/agent-\(schema).sql")
        let database = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        try database.writeWithoutTransaction { try $0.execute(sql: String(contentsOf: dump, encoding: .utf8)) }
        try database.close()
        return folder
    }
}
