import BaseKit
import SMPSession

/// A stream that tells its writer when the reader falls behind.
///
/// Nothing written is lost: the limit is a mark at which a writer that can pause is to do so. For one reader at a time.
public struct PacedStream<Element: Sendable>: AsyncSequence, Sendable {
    /// The elements in their order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var elements: AsyncStream<(Element, cost: Int)>.Iterator
        fileprivate let gauge: StreamGauge

        /// Waits for the next element; nil at the end, and when the reading task was cancelled.
        public mutating func next() async -> Element? { await next(isolation: #isolation) }

        /// The same, on the thread of control of an actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            guard let (element, cost) = await elements.next(isolation: actor) else { return nil }
            gauge.left(cost)
            return element
        }
    }

    /// Writes to a stream.
    public struct Continuation: Sendable {
        private let elements: AsyncStream<(Element, cost: Int)>.Continuation
        private let cost: @Sendable (Element) -> Int
        private let gauge: StreamGauge

        fileprivate init(
            _ elements: AsyncStream<(Element, cost: Int)>.Continuation, _ cost: @escaping @Sendable (Element) -> Int,
            _ gauge: StreamGauge
        ) {
            self.elements = elements
            self.cost = cost
            self.gauge = gauge
        }

        /// Writes an element; false when it is time to pause, see `whenRoom` and `room`.
        @discardableResult
        public func yield(_ element: Element) -> Bool {
            let cost = cost(element)
            gauge.entered(cost)
            elements.yield((element, cost))
            return gauge.hasRoom
        }

        /// Ends the stream after what was written.
        public func finish() { elements.finish() }

        /// Calls back once when the reader has caught up or is gone; at once if there is room already.
        func whenRoom(_ body: @escaping @Sendable () -> Void) { gauge.whenRoom(body) }

        /// Waits until the reader has caught up or is gone; with room there is nothing to wait for, and no actor is left.
        public func room(isolation: isolated (any Actor)? = #isolation) async {
            if gauge.hasRoom { return }
            await withCheckedContinuation { continuation in whenRoom { continuation.resume() } }
        }
    }

    private let elements: AsyncStream<(Element, cost: Int)>
    private let gauge: StreamGauge

    /// What was written and not read yet, in units of the cost.
    var backlog: Int { gauge.held }

    private init(_ elements: AsyncStream<(Element, cost: Int)>, _ gauge: StreamGauge) {
        self.elements = elements
        self.gauge = gauge
    }

    /// A stream and its writing end.
    ///
    /// - Parameters:
    ///   - limit: the cost of what waits to be read at which the writer is to pause; it may go on at half of that.
    ///   - cost: of an element, at least 1.
    public static func makeStream(
        limit: Int, cost: @escaping @Sendable (Element) -> Int = { _ in 1 }
    ) -> (stream: PacedStream, continuation: Continuation) {
        let gauge = StreamGauge(limit: limit)
        let (elements, continuation) = AsyncStream<(Element, cost: Int)>.makeStream()
        continuation.onTermination = { _ in gauge.end() }
        return (PacedStream(elements, gauge), Continuation(continuation, cost, gauge))
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(elements: elements.makeAsyncIterator(), gauge: gauge)
    }
}

/// How full a stream is, and who waits for it to empty.
private final class StreamGauge: Sendable {
    private struct State {
        var held = 0
        /// Whether the limit was reached and half of it not yet since.
        var isFull = false
        var hasEnded = false
        var waiters: [@Sendable () -> Void] = []
    }

    private let limit: Int
    private let state = Lock(State())

    init(limit: Int) { self.limit = limit }

    var held: Int { state.withLock { $0.held } }

    var hasRoom: Bool { state.withLock { !$0.isFull || $0.hasEnded } }

    func entered(_ cost: Int) {
        state.withLock { state in
            state.held += cost
            if state.held >= limit { state.isFull = true }
        }
    }

    func left(_ cost: Int) {
        release { state in
            state.held -= cost
            if state.held <= limit / 2 { state.isFull = false }
        }
    }

    /// Nobody reads any more, or nothing is written any more.
    func end() { release { $0.hasEnded = true } }

    func whenRoom(_ body: @escaping @Sendable () -> Void) {
        release { $0.waiters.append(body) }
    }

    private func release(_ change: (inout State) -> Void) {
        let released = state.withLock { state -> [@Sendable () -> Void] in
            change(&state)
            guard !state.isFull || state.hasEnded else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in released { waiter() }
    }
}

extension PacedStream where Element == RelayEvent {
    /// A stream whose writer is to pause when so many bytes wait to be read.
    static func makeStream(bytes: Int) -> (stream: PacedStream, continuation: Continuation) {
        makeStream(limit: bytes) { event in
            switch event {
            case .message(_, _, let body): overhead + body.count
            default: overhead
            }
        }
    }

    /// What an event takes in memory besides a message's body, roughly, in bytes.
    private static var overhead: Int { 256 }
}
