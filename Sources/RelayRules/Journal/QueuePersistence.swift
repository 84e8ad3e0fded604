import SMPSession

/// Where a relay's queues outlive its process.
package protocol QueuePersistence: Sendable {
    /// All queues, with their messages, but not the bodies, in order of arrival, and the last number given to a message.
    ///
    /// - Throws: `RelayStorageError`.
    func load() throws -> PersistedQueues

    /// The bodies of messages, by their numbers; those that are not there are left out.
    ///
    /// - Throws: `RelayStorageError`.
    func bodies(of numbers: [Int64]) throws -> [Int64: [UInt8]]

    /// Carries out all changes or none; they are on disk when this returns.
    ///
    /// - Throws: `RelayStorageError`.
    func write(_ changes: [StoreChange]) throws

    /// Whether there is room only to take things out; looks whether there is more by now.
    func isShort() -> Bool

    /// Overwrites what the files still hold of things deleted.
    ///
    /// - Returns: whether that was done.
    @discardableResult
    func tidy() -> Bool

    /// Lets go of the files.
    func close()
}

extension QueuePersistence {
    package func isShort() -> Bool { false }
}

/// What a start finds on disk.
package struct PersistedQueues: Sendable {
    package var queues: [StoredQueue] = []
    package var lastNumber: Int64 = 0
    /// How old the relay was, in seconds of its running.
    package var age: Int64 = 0
    /// Addresses that an operator blocked.
    package var blockedOrigins: Set<ConnectionOrigin> = []

    /// A disk that holds nothing.
    package init() {}
}

/// Why a relay can't use its state on disk.
public enum RelayStorageError: Error, Equatable, Sendable {
    /// Written by a later version of the program.
    case newerSchema
    /// Another process has the file open.
    case inUse
    /// A row can't be read.
    case damaged(String)
    /// The file system or SQLite says no, in their words.
    case unavailable(String)
}
