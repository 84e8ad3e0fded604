import CGLib

/// A connected signal handler. It stays connected until `disconnect()` or until the object goes, whether or not this handle is
/// kept; the handle does not keep the object alive.
public final class SignalConnection: @unchecked Sendable {
    // Unchecked: GWeakRef and handler ids may be used from any thread; nothing else is stored.
    private let object: UnsafeMutablePointer<GWeakRef>
    private let identifier: gulong

    init(object: UnsafeMutablePointer<GObject>, identifier: gulong) {
        self.object = .allocate(capacity: 1)
        self.object.initialize(to: GWeakRef())
        g_weak_ref_init(self.object, object)
        self.identifier = identifier
    }

    deinit {
        g_weak_ref_clear(object)
        object.deallocate()
    }

    /// Whether the object still lives and the handler is still connected.
    public var isConnected: Bool {
        withObject { g_signal_handler_is_connected($0, identifier) != 0 } ?? false
    }

    /// Disconnects the handler; nothing happens when it is gone already.
    public func disconnect() {
        withObject { object in
            if g_signal_handler_is_connected(object, identifier) != 0 {
                g_signal_handler_disconnect(object, identifier)
            }
        }
    }

    @discardableResult
    private func withObject<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result? {
        guard let strong = g_weak_ref_get(object) else { return nil }
        defer { g_object_unref(strong) }
        return body(strong)
    }
}
