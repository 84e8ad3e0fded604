/// One of the application's own records: a row of a collection that only grows at its end.
public struct ApplicationRecord: Sendable, Hashable {
    /// Its number, higher than that of every record before it; a number is never used again.
    public let number: Int64
    /// The small part, by which many are looked through.
    public let key: [UInt8]
    /// The whole.
    public let value: [UInt8]

    /// A record as it was kept.
    public init(number: Int64, key: [UInt8], value: [UInt8]) {
        self.number = number
        self.key = key
        self.value = value
    }
}

/// The small part of a record.
public struct ApplicationRecordKey: Sendable, Hashable {
    /// The record's number.
    public let number: Int64
    /// What was kept as its key.
    public let key: [UInt8]
}

/// What is to become a record.
public struct ApplicationRecordDraft: Sendable, Hashable {
    /// The small part, by which many are looked through.
    public let key: [UInt8]
    /// The whole.
    public let value: [UInt8]

    /// Puts one together.
    public init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}
