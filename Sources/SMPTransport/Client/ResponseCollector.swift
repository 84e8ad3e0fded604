import BaseKit
import SMP
import SMPSession

/// Gathers the results of requests that were sent together.
final class ResponseCollector: Sendable {
    typealias Results = [Result<BrokerMessage, RelayRequestError>]

    private struct State {
        var results: Results
        var missing: Int
    }

    private let state: Lock<State>
    private let completion: @Sendable (Results) -> Void

    init(count: Int, completion: @escaping @Sendable (Results) -> Void) {
        state = Lock(State(results: Array(repeating: .failure(.timeout), count: count), missing: count))
        self.completion = completion
    }

    /// Each index is set once.
    func set(_ result: Result<BrokerMessage, RelayRequestError>, at index: Int) {
        let complete: Results? = state.withLock { state in
            state.results[index] = result
            state.missing -= 1
            return state.missing == 0 ? state.results : nil
        }
        if let complete { completion(complete) }
    }
}
