import Synchronization

/// A value that several threads use.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Changes it, with nobody between.
    func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}
