import Cryptography
import SMP
import SMPSession

/// Makes queues of rows, whatever their columns hold: what can't be is named, and what is read can be used.
///
/// Ages and addresses may come at any time; queues come first, then links and messages, queues and messages by rising number.
package struct PersistedQueuesDecoder: Sendable {
    /// Tables, and what is asked of each row.
    package enum Table: String, CaseIterable, Sendable {
        case age, blockedAddress, queue, link, message

        package var columns: [String] {
            switch self {
            case .age: ["seconds"]
            case .blockedAddress: ["address"]
            case .queue:
                [
                    "number", "recipientID", "senderID", "recipientKeys", "secret", "mode", "senderKey", "notifierID",
                    "notifierKey", "notifierSecret", "status", "blockingReason", "blockingNotice",
                ]
            case .link: ["queue", "id", "fixed", "user"]
            // `count`: bytes of its body, which stays where it is.
            case .message: ["number", "queue", "id", "time", "seen", "notify", "count"]
            }
        }
    }

    /// Numbers and seconds that a relay can come to, with room above for more.
    private static let numbers = 0...Int64(1) << 60
    /// Bytes of a body or of the data of a link; none is longer than a block.
    private static let counts = 0...Int64(1) << 14
    /// What messages are sealed with has a fixed length, as the id that is their nonce has.
    private static let secretCount = 32

    private var result = PersistedQueues()
    /// Where queues stand in the result, by their numbers.
    private var positions: [Int64: Int] = [:]
    private var recipients: Set<EntityID> = []
    private var senders: Set<EntityID> = []
    private var links: Set<EntityID> = []
    private var notifiers: Set<EntityID> = []
    private var lastMessage: Int64?

    package init() {}

    /// What was read.
    package consuming func finish() -> PersistedQueues { result }

    /// Takes a row.
    ///
    /// - Parameter values: those of the table's columns, in their order.
    /// - Throws: `RelayStorageError.damaged`.
    package mutating func add(_ values: [ColumnValue], to table: Table) throws(RelayStorageError) {
        guard values.count == table.columns.count else { throw .damaged("\(table.rawValue)") }
        switch table {
        case .age: try addAge(values)
        case .blockedAddress: try addBlockedAddress(values)
        case .queue: try addQueue(values)
        case .link: try addLink(values)
        case .message: try addMessage(values)
        }
    }

    private mutating func addAge(_ values: [ColumnValue]) throws(RelayStorageError) {
        guard let age = values[0].integer, Self.numbers.contains(age) else { throw .damaged("age \(values[0])") }
        result.age = age
    }

    private mutating func addBlockedAddress(_ values: [ColumnValue]) throws(RelayStorageError) {
        guard let text = values[0].text, case .origin(let origin)? = ConnectionOrigin.Reading(parsing: text) else {
            throw .damaged("address \(values[0])")
        }
        result.blockedOrigins.insert(origin)
    }

    private mutating func addQueue(_ values: [ColumnValue]) throws(RelayStorageError) {
        let number = try number(values[0], "queue")
        let isNext = result.queues.last.map { $0.number < number } ?? true
        guard isNext, let queue = try? queue(number, values), recipients.insert(queue.recipientID).inserted,
            senders.insert(queue.senderID).inserted,
            queue.notifier.map({ notifiers.insert($0.id).inserted }) ?? true
        else { throw .damaged("queue \(number)") }
        positions[number] = result.queues.count
        result.queues.append(queue)
        result.lastNumber = max(result.lastNumber, number)
    }

    private mutating func addLink(_ values: [ColumnValue]) throws(RelayStorageError) {
        let number = try number(values[0], "link")
        guard let position = positions[number] else { return }
        guard let id = values[1].entityID, let fixed = values[2].bytes, let user = values[3].bytes,
            Self.counts.contains(Int64(fixed.count)), Self.counts.contains(Int64(user.count)),
            result.queues[position].link == nil, links.insert(id).inserted
        else { throw .damaged("link \(number)") }
        result.queues[position].link = StoredQueue.Link(id: id, data: LinkData(fixed: fixed, user: user))
    }

    private mutating func addMessage(_ values: [ColumnValue]) throws(RelayStorageError) {
        let number = try number(values[0], "message")
        guard lastMessage.map({ $0 < number }) ?? true, let queue = values[1].integer, let id = values[2].bytes,
            id.count == MessageID.count, let time = values[3].integer, let seen = values[4].integer,
            let content = Self.content(notify: values[5], count: values[6])
        else { throw .damaged("message \(number)") }
        lastMessage = number
        result.lastNumber = max(result.lastNumber, number)
        guard let position = positions[queue] else { return }
        let message = StoredMessage(number: number, id: MessageID(id), time: time, seen: seen, content: content)
        result.queues[position].messages.append(message)
        result.queues[position].canWrite = !message.isMarker
    }

    private func number(_ value: ColumnValue, _ name: String) throws(RelayStorageError) -> Int64 {
        guard let number = value.integer, Self.numbers.contains(number) else { throw .damaged("\(name) \(value)") }
        return number
    }

    private func queue(_ number: Int64, _ values: [ColumnValue]) throws -> StoredQueue {
        guard let recipientID = values[1].entityID, let senderID = values[2].entityID,
            let status = Self.status(values[10], reason: values[11], notice: values[12])
        else { throw RelayStorageError.damaged("queue") }
        var queue = StoredQueue(
            number: number, recipientID: recipientID, senderID: senderID, recipientKeys: try Self.keys(values[3]),
            secret: try Self.secret(values[4]),
            mode: values[5].integer.flatMap { UInt8(exactly: $0) }.flatMap(QueueMode.init(rawValue:)))
        queue.senderKey = try values[6].bytes.map(AuthenticationPublicKey.init(der:))
        if let id = values[7].entityID {
            queue.notifier = StoredQueue.Notifier(
                id: id, key: try AuthenticationPublicKey(der: values[8].bytes ?? []),
                secret: try Self.secret(values[9]))
        } else if values[7] != .null {
            throw RelayStorageError.damaged("notifier")
        }
        queue.status = status
        return queue
    }

    private static func keys(_ value: ColumnValue) throws -> [AuthenticationPublicKey] {
        var reader = ByteReader(value.bytes ?? [])
        var keys: [AuthenticationPublicKey] = []
        while reader.remaining > 0 {
            guard keys.count < StoredQueue.maximumStoredKeys else { throw RelayStorageError.damaged("keys") }
            keys.append(try reader.authenticationKey())
        }
        return keys
    }

    private static func secret(_ value: ColumnValue) throws -> SecretBytes {
        guard let bytes = value.bytes, bytes.count == secretCount else { throw RelayStorageError.damaged("secret") }
        return SecretBytes(bytes)
    }

    private static func content(notify: ColumnValue, count: ColumnValue) -> StoredMessage.Content? {
        if notify == .null { return .marker }
        guard let notify = notify.integer else { return nil }
        let bytes = count.integer ?? 0
        return counts.contains(bytes) ? .message(notify: notify != 0, count: Int(bytes)) : nil
    }

    private static func status(
        _ value: ColumnValue, reason: ColumnValue, notice: ColumnValue
    ) -> StoredQueue.Status? {
        switch value {
        case .integer(0): .active
        case .integer(1): .off
        case .integer(2): .blocked(SMPError.BlockingInfo(reason: reason.text ?? "", notice: notice.text))
        default: nil
        }
    }
}

/// What one column of a row holds, whatever type it was made for.
package enum ColumnValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])

    fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    /// An id such as a relay makes.
    fileprivate var entityID: EntityID? {
        if case .bytes(let bytes) = self, bytes.count == EntityID.count { EntityID(bytes) } else { nil }
    }
}

extension ColumnValue: CustomStringConvertible {
    /// Without what may be secret.
    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }
}
