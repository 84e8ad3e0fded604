/// A change of the application's own records, made in a transaction of the agent's: all of it is on disk with what the agent keeps
/// there, or neither is.
public struct RecordChange: Sendable {
    let make: @Sendable (RecordEditor) throws -> Void
    let stored: @Sendable () -> Void

    /// - Parameters:
    ///   - make: Makes the change. What it throws takes the whole transaction back. It must not wait, and may be called again after a
    ///     transaction that failed.
    ///   - stored: Called when the change is on disk, before the agent does anything else with its store.
    public init(
        _ make: @escaping @Sendable (RecordEditor) throws -> Void, stored: @escaping @Sendable () -> Void = {}
    ) {
        self.make = make
        self.stored = stored
    }
}

/// The application's own records inside of a transaction.
public struct RecordEditor {
    private let transaction: StoreTransaction
    /// The number of the message that the transaction queues or acknowledges.
    public let message: Int64?

    init(_ transaction: StoreTransaction, message: Int64? = nil) {
        self.transaction = transaction
        self.message = message
    }

    /// Adds a record at the end of a collection. - Returns: Its number.
    public func append(_ draft: ApplicationRecordDraft, to collection: String) throws -> Int64 {
        try transaction.appendRecord(draft, to: collection)
    }

    /// The record of this number.
    public func record(_ number: Int64, of collection: String) throws -> ApplicationRecord? {
        try transaction.records(of: collection, numbers: [number]).first
    }

    /// Gives a record another value; its key stays.
    public func replace(_ number: Int64, of collection: String, value: [UInt8]) throws {
        _ = try transaction.replaceRecord(number, of: collection, value: value)
    }

    /// Deletes the records of these numbers.
    public func delete(_ numbers: [Int64], of collection: String) throws {
        try transaction.deleteRecords(of: collection, numbers: numbers)
    }

    /// Keeps a value under a name, which is stored in plain; nil removes it.
    public func set(_ name: String, to value: [UInt8]?) throws {
        try transaction.setApplicationData(name, value)
    }
}
