import CGLib

/// Makes GClosures that call Swift, with one marshaller for every signature.
enum Closure {
    /// Called with the parameters and the place for the result (nil when the signal has none).
    typealias Body = @Sendable (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void

    private final class Box: Sendable {
        let body: Body

        init(_ body: @escaping Body) { self.body = body }
    }

    /// A floating GClosure that releases the body with itself.
    static func make(_ body: @escaping Body) -> UnsafeMutablePointer<GClosure> {
        let box = Unmanaged.passRetained(Box(body)).toOpaque()
        let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), box)!
        g_closure_add_finalize_notifier(closure, box) { data, _ in
            if let data { Unmanaged<Box>.fromOpaque(data).release() }
        }
        g_closure_set_marshal(closure) { closure, result, count, parameters, _, _ in
            guard let data = closure?.pointee.data else { return }
            let box = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue()
            box.body(SignalArguments(parameters, count: Int(count)), result)
        }
        return closure
    }
}
