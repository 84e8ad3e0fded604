/// What did not happen within its time.
public struct Overdue: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Looks again and again until `condition` holds.
/// - Throws: `Overdue` after `limit`, which is generous on purpose: it only ends a test that has failed.
public func waitUntil(
    _ what: String, within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { throw Overdue("Not in time: \(what)") }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Runs `work`, and gives up on it after `limit`.
/// - Throws: what `work` throws, or `Overdue`.
public func limited<Value: Sendable>(
    _ what: String, to limit: Duration = .seconds(60), _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw Overdue("Not in time: \(what)")
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw Overdue(what) }
        return value
    }
}
