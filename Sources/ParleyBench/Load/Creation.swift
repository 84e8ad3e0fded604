import BaseKit
import SMP
import SMPSession

extension Fleet {
    /// Makes queues as fast as it goes, over all connections.
    ///
    /// - Parameters:
    ///   - batch: commands in a block.
    ///   - parallel: blocks under way in each connection.
    /// - Returns: queues a second.
    func create(batch: Int, parallel: Int, seconds: Double) async throws(BenchError) -> Double {
        let progress = CreationProgress()
        let start = Instant.now
        await withDiscardingTaskGroup { group in
            for station in stations {
                for _ in 0..<parallel {
                    group.addTask {
                        while Instant.now - start < .seconds(seconds), progress.failure == nil {
                            let requests = (0..<batch).map { _ in station.creation(subscribes: false) }
                            progress.add(await station.connection.requests(requests))
                        }
                    }
                }
            }
        }
        if let reason = progress.failure { throw .setUp(reason) }
        return Double(progress.made) / (Instant.now - start).inSeconds
    }
}

/// What parallel loops have made.
private final class CreationProgress: Sendable {
    private let state = Lock<(made: Int, failure: String?)>((0, nil))

    var made: Int { state.withLock { $0.made } }
    var failure: String? { state.withLock { $0.failure } }

    func add(_ results: [Result<BrokerMessage, RelayRequestError>]) {
        state.withLock { state in
            state.made += results.count
            for case .failure(let error) in results { state.failure = "\(error)" }
        }
    }
}
