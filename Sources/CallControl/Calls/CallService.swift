import BaseKit
import Portal

/// Serves the calls on a connection to the session bus, as ``CallObjects`` says. Ends with the object.
package final class CallService: Sendable {
    private struct State {
        var objects: CallObjects
        /// Who waits for an answer.
        var calls: [CallObjects.Ticket: BusCall] = [:]
        var next: CallObjects.Ticket = 1
    }

    /// What others want done, in order, for one listener. One that is dropped without an outcome is refused.
    package let requests: AsyncStream<PendingRequest>
    private let ask: AsyncStream<PendingRequest>.Continuation
    private let bus: Bus
    private let state: Lock<State>

    /// Serves from the moment this returns; whoever looks finds no calls, and Parley not reachable, until ``update(_:_:)``.
    ///
    /// - Parameters:
    ///   - bus: the connection that has, or will have, the service's name.
    ///   - isEnabled: whether others may control calls, or hear of them.
    package init(bus: Bus, isEnabled: Bool = true) {
        self.bus = bus
        state = Lock(State(objects: CallObjects(isEnabled: isEnabled)))
        (requests, ask) = AsyncStream.makeStream()
        bus.serve(under: ParleyService.calls) { [weak self] in self?.receive($0) }
    }

    deinit {
        bus.stopServing(under: ParleyService.calls)
        ask.finish()
    }

    /// Tells what calls there are, and whether others can call. A call that has ended stays among them until its end was seen.
    package func update(_ calls: [CallFacts], _ reachability: Reachability) {
        perform { $0.objects.update(calls, reachability) }
    }

    /// Tells whether everybody who calls is told that the person is busy, by their choice.
    package func update(isBusy: Bool) { perform { $0.objects.update(isBusy: isBusy) } }

    /// Lets others control calls, or not.
    package func setEnabled(_ isEnabled: Bool) { perform { $0.objects.setEnabled(isEnabled) } }

    private func receive(_ call: BusCall) {
        perform { state in
            let ticket = state.next
            state.next += 1
            state.calls[ticket] = call
            return state.objects.receive(MethodCall(call), as: ticket)
        }
    }

    private func perform(_ step: (inout State) -> [CallObjects.Output]) {
        // Within the lock, so that replies and signals leave in the order of the steps.
        let asked = state.withLock { state in step(&state).compactMap { perform($0, &state) } }
        // Outside of it: one that nobody listens for is refused at once.
        for request in asked { ask.yield(request) }
    }

    private func perform(_ output: CallObjects.Output, _ state: inout State) -> PendingRequest? {
        switch output {
        case .reply(let ticket, let values): state.calls.removeValue(forKey: ticket)?.answer(values)
        case .refuse(let ticket, let failure):
            state.calls.removeValue(forKey: ticket)?.refuse(failure.name, failure.message)
        case .emit(let signal):
            // It fails for values alone that D-Bus can't carry, and there are none.
            try? bus.emit(path: signal.path, interface: signal.interface, name: signal.name, signal.values)
        case .ask(let ticket, let request):
            return PendingRequest(request) { [weak self] outcome in
                self?.perform { $0.objects.finish(ticket, outcome) }
            }
        }
        return nil
    }
}

/// A request of another program, which waits for its outcome.
package final class PendingRequest: Sendable {
    /// What is wanted.
    package let request: CallRequest
    private let answer: @Sendable (CallOutcome) -> Void

    init(_ request: CallRequest, answer: @escaping @Sendable (CallOutcome) -> Void) {
        self.request = request
        self.answer = answer
    }

    deinit { answer(.refused(.cancelled)) }

    /// Says what became of it; the first time counts. Of a call that was dialled ``CallService/update(_:_:)`` has to tell before.
    package func finish(_ outcome: CallOutcome) { answer(outcome) }
}
