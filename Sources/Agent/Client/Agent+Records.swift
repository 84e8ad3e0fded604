// The application's own records: collections that only grow at their ends, sealed in the same store. The collection's name and the
// records' numbers are stored in plain.
extension Agent {
    /// How many keys are read, and how many records deleted, before others have their turn.
    public static let recordBatch = 1_000

    /// Adds records at the end of a collection and keeps a value as it is in that moment, all of it on disk before this returns, or
    /// nothing.
    ///
    /// - Returns: Their numbers.
    /// - Throws: `AgentError.stopped`, `.store`.
    public func appendRecords(
        _ drafts: [ApplicationRecordDraft], to collection: String, keeping value: ApplicationValue? = nil
    ) async throws -> [Int64] {
        try ensureOpen()
        return try inStore { transaction in
            if let value { try transaction.setApplicationData(value.name, value.content()) }
            return try drafts.map { try transaction.appendRecord($0, to: collection) }
        }
    }

    /// Changes records in a transaction of its own, on disk before this returns.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func change(_ change: RecordChange) async throws {
        try ensureOpen()
        try inStore { try change.make(RecordEditor($0)) }
        change.stored()
    }

    /// The newest records before a number, newest first.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func records(
        of collection: String, before number: Int64 = .max, limit: Int
    ) async throws -> [ApplicationRecord] {
        try ensureOpen()
        return try look { try $0.records(of: collection, before: number, limit: limit) }
    }

    /// The records of these numbers, in their order; numbers without a record are passed over.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func records(of collection: String, numbers: [Int64]) async throws -> [ApplicationRecord] {
        try ensureOpen()
        return try look { try $0.records(of: collection, numbers: numbers) }
    }

    /// The keys of the newest records before a number, newest first: a thousand at most, so that whoever reads on and on lets others
    /// have their turn. Fewer than the limit are the last.
    ///
    /// - Parameter limit: how many keys; more than a thousand count as a thousand.
    /// - Throws: `AgentError.stopped`, `.store`.
    public func recordKeys(
        of collection: String, before number: Int64 = .max, limit: Int = Agent.recordBatch
    ) async throws -> [ApplicationRecordKey] {
        try ensureOpen()
        return try look {
            try $0.recordKeys(of: collection, before: number, limit: min(max(limit, 1), Self.recordBatch))
        }
    }

    /// Deletes the records of these numbers, on disk before this returns. Of more than a thousand some may be left when it throws.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func deleteRecords(of collection: String, numbers: [Int64]) async throws {
        for start in stride(from: 0, to: numbers.count, by: Self.recordBatch) {
            try ensureOpen()
            let batch = Array(numbers[start..<min(numbers.count, start + Self.recordBatch)])
            try inStore { try $0.deleteRecords(of: collection, numbers: batch) }
            await Task.yield()
        }
    }

    /// Deletes the records up to a number, oldest first; all unless one is given. Others have their turn meanwhile, and what they add is
    /// not deleted.
    ///
    /// - Returns: The number up to which all are deleted; nil if there were none.
    /// - Throws: `AgentError.stopped`, `.store`; then some may be left.
    @discardableResult
    public func deleteRecords(of collection: String, upTo number: Int64 = .max) async throws -> Int64? {
        try ensureOpen()
        guard let last = try look({ try $0.recordKeys(of: collection, before: .max, limit: 1).first?.number }) else {
            return nil
        }
        let end = min(last, number)
        while try inStore({ try $0.deleteRecords(of: collection, upTo: end, limit: Self.recordBatch) }) > 0 {
            await Task.yield()
            try ensureOpen()
        }
        return end
    }

    /// How many records a collection has.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    package func recordCount(of collection: String) async throws -> Int {
        try ensureOpen()
        return try look { try $0.recordCount(of: collection) }
    }
}
