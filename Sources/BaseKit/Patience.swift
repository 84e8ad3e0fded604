/// Waits for the end of some work, and no longer than a time; the work goes on in any case.
public func wait(forEndOf work: Task<Void, Never>, within time: Duration) async {
    let (news, end) = AsyncStream<Void>.makeStream()
    let timer = Task {
        try? await Task.sleep(for: time)
        end.finish()
    }
    Task {
        await work.value
        end.finish()
    }
    for await _ in news {}
    timer.cancel()
}

/// Does some work, and cancels it where it takes longer than a time.
package func wait(within time: Duration, for work: @escaping @Sendable () async -> Void) async {
    let task = Task(operation: work)
    await wait(forEndOf: task, within: time)
    task.cancel()
}
