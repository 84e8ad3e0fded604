import CGLib

/// Makes GClosures that call Swift, with one marshaller for every signature.
enum Closure {
    /// Called with the parameters and the place for the result (nil when the signal has none).
    typealias Body = @Sendable (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void

    /// A floating GClosure that releases the body with itself.
    static func make(_ body: @escaping Body) -> UnsafeMutablePointer<GClosure> {
        let data = CallbackData.keeping(body)
        let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data)!
        g_closure_add_finalize_notifier(closure, data) { data, _ in CallbackData.release(data) }
        g_closure_set_marshal(closure) { closure, result, count, parameters, _, _ in
            guard let data = closure?.pointee.data else { return }
            let body = CallbackData.value(Body.self, at: data)
            body(SignalArguments(parameters, count: Int(count)), result)
        }
        return closure
    }
}
