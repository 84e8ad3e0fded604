/// Work that waits for the disk and for Argon2id, away from the actor that wants it.
enum DiskWork {
    /// Does it, and cancels it with the task that waits.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let task = Task.detached { try work() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
