import CGLib

extension Object {
    /// Connects a handler that runs on the main actor. Only for signals that are emitted on the main thread (all of GTK's);
    /// one emitted elsewhere stops the program. The handler must not capture this wrapper: take `arguments.sender`.
    @MainActor @discardableResult
    public func connect(
        _ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void
    ) -> SignalConnection {
        connect(signal, closure: Closure.make(onMainActor(handler)))
    }

    /// Connects a handler without parameters that runs on the main actor.
    @MainActor @discardableResult
    public func connect(_ signal: String, _ handler: @escaping @MainActor () -> Void) -> SignalConnection {
        connect(signal, closure: Closure.make(onMainActor { _ in handler() }))
    }

    /// Connects a handler that answers with a value, on the main actor.
    @MainActor @discardableResult
    public func connect<Answer: ValueWritable>(
        _ signal: String, returning kind: Answer.Type,
        _ handler: @escaping @MainActor (SignalArguments) -> Answer
    ) -> SignalConnection {
        let body: Closure.Body = { arguments, result in
            nonisolated(unsafe) let arguments = arguments  // stays on this thread, inside this call
            nonisolated(unsafe) let result = result  // likewise
            MainActor.assumeIsolated {
                let answer = handler(arguments)
                if let result { _ = answer.write(to: result) }
            }
        }
        return connect(signal, closure: Closure.make(body))
    }

    /// Connects a handler that runs on whatever thread emits the signal (GStreamer's streaming threads).
    @discardableResult
    public func connectOnEmittingThread(
        _ signal: String, _ handler: @escaping @Sendable (SignalArguments) -> Void
    ) -> SignalConnection {
        connect(signal, closure: Closure.make { arguments, _ in handler(arguments) })
    }

    /// Connects a handler that answers with a value, on whatever thread emits the signal.
    @discardableResult
    public func connectOnEmittingThread<Answer: ValueWritable>(
        _ signal: String, returning kind: Answer.Type,
        _ handler: @escaping @Sendable (SignalArguments) -> Answer
    ) -> SignalConnection {
        connect(
            signal,
            closure: Closure.make { arguments, result in
                let answer = handler(arguments)
                if let result { _ = answer.write(to: result) }
            })
    }

    /// Calls the handler on the main actor whenever a property changes.
    @MainActor @discardableResult
    public func onChange(of property: String, _ handler: @escaping @MainActor () -> Void) -> SignalConnection {
        connect("notify::" + property, handler)
    }

    private func connect(_ signal: String, closure: UnsafeMutablePointer<GClosure>) -> SignalConnection {
        let identifier = g_signal_connect_closure(raw, signal, closure, 0)
        return SignalConnection(object: raw, identifier: identifier)
    }
}

/// The body that runs a main-actor handler from a C call on the main thread.
private func onMainActor(_ handler: @escaping @MainActor (SignalArguments) -> Void) -> Closure.Body {
    { arguments, _ in
        nonisolated(unsafe) let arguments = arguments  // stays on this thread, inside this call
        MainActor.assumeIsolated { handler(arguments) }
    }
}
