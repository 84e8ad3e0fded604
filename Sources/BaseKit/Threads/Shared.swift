/// A value that several threads use.
package final class Shared<Value: Sendable>: Sendable {
    private let state: Lock<Value>

    package init(_ value: Value) { state = Lock(value) }

    package var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Changes it, with nobody between.
    package func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}
