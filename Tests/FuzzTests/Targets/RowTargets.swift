import SMP
import SMPSession

@testable import RelayRules

extension FuzzTarget {
    /// What relays find on their disk.
    static let rows: [FuzzTarget] = [FuzzTarget(name: "relay-rows", run: relayRows)]

    /// Rows of any content: those that are damaged are refused one by one, and with the others clients do all they can.
    private static func relayRows(_ input: [UInt8]) throws {
        var input = FuzzInput(input)
        var decoder = PersistedQueuesDecoder()
        while !input.isAtEnd {
            let table = StoredRow.tables[input.choice(StoredRow.tables.count)]
            let values = table.columns.map { _ in input.columnValue() }
            try? decoder.add(values, to: table)
        }
        let persisted = decoder.finish()
        var store = QueueStore()
        store.restore(persisted)
        try store.checkTables()
        for queue in persisted.queues {
            _ = store.subscribe(queue.recipientID, session: 1).events.map(\.reply.brokerMessage)
            _ = store.send(queue.senderID, notify: true, body: [7], limit: 10, time: 1)
            if let notifier = queue.notifier { _ = store.subscribeNotifier(notifier.id, session: 2) }
            for message in queue.messages {
                _ = store.acknowledge(queue.recipientID, message: message.id, session: 1).reply.brokerMessage
            }
            _ = store.information(queue.recipientID, session: 1)
            if let link = queue.link { _ = store.getLink(link.id) }
        }
        try store.checkTables()
        _ = store.expire(before: .max)
        for queue in persisted.queues { _ = store.delete(queue.recipientID, session: 2) }
        try store.checkTables()
        try require(store.queues.isEmpty && store.use == StoreUse(), "something is left of queues that are deleted")
    }
}

/// A row in the form that the target reads.
struct StoredRow {
    static let tables = PersistedQueuesDecoder.Table.allCases

    let table: PersistedQueuesDecoder.Table
    let values: [ColumnValue]

    var encoded: [UInt8] {
        [UInt8(Self.tables.firstIndex(of: table) ?? 0)] + values.flatMap(Self.encoded)
    }

    private static func encoded(_ value: ColumnValue) -> [UInt8] {
        switch value {
        case .null, .real: [0]
        case .integer(let number):
            UInt8(exactly: number).map { [1, $0] } ?? [2] + withUnsafeBytes(of: number.bigEndian, Array.init)
        case .text(let text): [3, UInt8(clamping: text.utf8.count)] + text.utf8
        case .bytes(let bytes): [4, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        }
    }
}

extension FuzzInput {
    fileprivate mutating func columnValue() -> ColumnValue {
        switch choice(6) {
        case 0: return .null
        case 1: return .integer(Int64(byte()))
        case 2: return .integer((0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) })
        case 3:
            let count = Int(byte())
            return .text(String(decoding: bytes(count), as: UTF8.self))
        case 4:
            let count = word16()
            return .bytes(bytes(count))
        default: return .real(Double(byte()))
        }
    }
}

extension QueueStore {
    /// The tables fit one another.
    func checkTables() throws {
        for (id, queue) in queues {
            try require(senders[queue.senderID] == id, "a sender's id leads nowhere")
            try require(queue.link.map { links[$0.id] == id } ?? true, "a link leads nowhere")
            try require(queue.notifier.map { notifiers[$0.id] == id } ?? true, "a notifier leads nowhere")
            try require(order.indices.contains(queue.place) && order[queue.place] == id, "a queue has no place")
            guard let session = queue.subscriber else { continue }
            try require(sessions[session]?[id]?.kind == .subscribed, "a subscriber does not know its queue")
        }
        try require(order.count == queues.count, "a place is left over")
        try require(
            messageCount == queues.values.reduce(0) { $0 + $1.messages.count }, "messages are miscounted")
        try require(senders.count == queues.count, "a sender's id is left over")
        try require(links.count == queues.values.count { $0.link != nil }, "a link is left over")
        try require(notifiers.count == queues.values.count { $0.notifier != nil }, "a notifier is left over")
    }
}
