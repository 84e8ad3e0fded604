import BaseKit
import Portal

/// The log of calls for other programs: one object with `im.parley.Parley.CallLog1`, served on a connection to the session bus. Ends with
/// the object.
package final class LogService: Sendable {
    /// The most calls that one answer has.
    package static let maximumCount = 1_000
    /// How many requests of others may wait for the program at a time.
    static let maximumPending = 16

    private struct State {
        var isEnabled: Bool
        var pending = 0
    }

    /// What others want, in order, for one listener. One that is dropped without an outcome is refused.
    package let requests: AsyncStream<PendingLogRequest>
    private let ask: AsyncStream<PendingLogRequest>.Continuation
    private let bus: Bus
    private let state: Lock<State>

    /// Serves from the moment this returns.
    ///
    /// - Parameters:
    ///   - bus: the connection that has, or will have, the service's name.
    ///   - isEnabled: whether others may read the log and delete from it.
    package init(bus: Bus, isEnabled: Bool = true) {
        self.bus = bus
        state = Lock(State(isEnabled: isEnabled))
        (requests, ask) = AsyncStream.makeStream()
        bus.serve(under: ParleyService.log) { [weak self] in self?.receive($0) }
    }

    deinit {
        bus.stopServing(under: ParleyService.log)
        ask.finish()
    }

    /// Lets others read the log and delete from it, or not.
    package func setEnabled(_ isEnabled: Bool) { state.withLock { $0.isEnabled = isEnabled } }

    private func receive(_ call: BusCall) {
        do throws(BusFailure) {
            switch try answer(MethodCall(call)) {
            case .values(let values): call.answer(values)
            case .request(let request):
                ask.yield(
                    PendingLogRequest(request) { [weak self] outcome in
                        self?.state.withLock { $0.pending -= 1 }
                        Self.answer(call, outcome)
                    })
            }
        } catch {
            call.refuse(error.name, error.message)
        }
    }

    private enum Answer {
        case values([BusValue])
        case request(LogRequest)
    }

    private func answer(_ call: MethodCall) throws(BusFailure) -> Answer {
        guard call.path == ParleyService.log else { throw .unknownObject(call.path) }
        if let values = try BusObject(facets: [BusObject.Facet(interface: .callLog)]).answer(call) {
            return .values(values)
        }
        let request = try Self.request(call)
        let refusal = state.withLock { state -> BusFailure? in
            guard state.isEnabled else { return CallRefusal.disabled.failure }
            guard state.pending < Self.maximumPending else { return .tooMany }
            state.pending += 1
            return nil
        }
        if let refusal { throw refusal }
        return .request(request)
    }

    private static func request(_ call: MethodCall) throws(BusFailure) -> LogRequest {
        switch call.name {
        case "List":
            guard call.arguments.count == 3, let query = call.arguments[0].entries.flatMap(LogQuery.init(properties:)),
                let limit = call.arguments[1].integer, let before = call.arguments[2].integer
            else { throw .invalidArguments(call.name) }
            return .list(query, limit: min(max(1, limit), maximumCount), before: before > 0 ? Int64(before) : .max)
        case "Delete":
            guard let numbers = call.arguments.first?.members?.compactMap(\.integer) else {
                throw .invalidArguments(call.name)
            }
            return .delete(numbers.map(Int64.init))
        case "DeleteAll": return .deleteAll
        default: throw .unknownMethod(call.name)
        }
    }

    private static func answer(_ call: BusCall, _ outcome: LogOutcome) {
        switch outcome {
        case .calls(let calls, let next):
            call.answer([.array(calls.map { .dictionary($0.properties) }, of: "a{sv}"), .int64(next)])
        case .done: call.answer([])
        case .refused(let refusal): call.refuse(refusal.failure.name, refusal.failure.message)
        }
    }
}

/// A request of another program for the log, which waits for its outcome.
package final class PendingLogRequest: Sendable {
    /// What is wanted.
    package let request: LogRequest
    private let answer: Lock<(@Sendable (LogOutcome) -> Void)?>

    init(_ request: LogRequest, answer: @escaping @Sendable (LogOutcome) -> Void) {
        self.request = request
        self.answer = Lock(answer)
    }

    deinit { finish(.refused(.cancelled)) }

    /// Says what became of it; the first time counts.
    package func finish(_ outcome: LogOutcome) {
        let answer = answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
        answer?(outcome)
    }
}

extension ParleyService {
    /// The log's object.
    package static let log = "/im/parley/Parley/log"
}

// Its description is also in data/dbus.
extension BusInterface {
    static let callLog = BusInterface(
        name: "im.parley.Parley.CallLog1",
        methods: [
            Method(
                "List", takes: [Argument("filter", "a{sv}"), Argument("limit", "u"), Argument("before", "x")],
                gives: [Argument("calls", "aa{sv}"), Argument("next", "x")]),
            Method("Delete", takes: [Argument("numbers", "ax")]), Method("DeleteAll"),
        ])
}
