/// Does jobs one after another, in the order in which they were given.
final class SerialLine<Job: Sendable>: Sendable {
    private enum Item: Sendable {
        case job(Job)
        /// Somebody waits for what was given before.
        case mark(CheckedContinuation<Void, Never>)
    }

    private let continuation: AsyncStream<Item>.Continuation
    private let worker: Task<Void, Never>

    init(_ work: @escaping @Sendable (Job) async -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Item.self)
        self.continuation = continuation
        worker = Task {
            for await item in stream {
                switch item {
                case .job(let job): await work(job)
                case .mark(let waiting): waiting.resume()
                }
            }
        }
    }

    func add(_ job: Job) { continuation.yield(.job(job)) }

    /// Waits for the jobs it has; it goes on to take others.
    func settle() async {
        await withCheckedContinuation { waiting in
            guard case .enqueued = continuation.yield(.mark(waiting)) else { return waiting.resume() }
        }
    }

    /// Takes no more jobs and waits for those it has.
    func drain() async {
        continuation.finish()
        await worker.value
    }

    deinit { continuation.finish() }
}
