/// Does jobs one after another, in the order in which they were given.
final class SerialLine<Job: Sendable>: Sendable {
    private let continuation: AsyncStream<Job>.Continuation
    private let worker: Task<Void, Never>

    init(_ work: @escaping @Sendable (Job) async -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Job.self)
        self.continuation = continuation
        worker = Task { for await job in stream { await work(job) } }
    }

    func add(_ job: Job) { continuation.yield(job) }

    /// Takes no more jobs and waits for those it has.
    func drain() async {
        continuation.finish()
        await worker.value
    }

    deinit { continuation.finish() }
}
