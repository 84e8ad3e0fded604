import Agent
import BaseKit

/// A value that outlives the process in the agent's sealed store, and whether it is on disk. What is written is what holds in that
/// moment, whoever writes it, so that no earlier state takes the place of a later one.
final class KeptValue<Value: Sendable>: Sendable {
    private let name: String
    private let encode: @Sendable (Value) -> [UInt8]?
    private let state: Lock<State>

    private struct State {
        var value: Value
        /// How often it has changed, and up to which change it is on disk.
        var changeCount = 0
        var storedCount = 0
    }

    /// `encode` gives nil for a value of which nothing is to be kept.
    init(_ value: Value, name: String, encode: @escaping @Sendable (Value) -> [UInt8]?) {
        self.name = name
        self.encode = encode
        state = Lock(State(value: value))
    }

    /// What holds now.
    var value: Value { state.withLock { $0.value } }

    /// Changes it where `body` says so, by returning true.
    func change(_ body: (inout Value) -> Bool) {
        state.withLock { if body(&$0.value) { $0.changeCount += 1 } }
    }

    /// What is on disk is another one, without a change here.
    func touch() { state.withLock { $0.changeCount += 1 } }

    /// What is to be written, alone or together with something else; nil when everything is on disk.
    func draft() -> KeptDraft? {
        guard state.withLock({ $0.changeCount != $0.storedCount }) else { return nil }
        let written = KeptDraft.Written()
        return KeptDraft(
            value: ApplicationValue(name) { [self] in
                let (value, changeCount) = state.withLock { ($0.value, $0.changeCount) }
                written.changeCount.withLock { $0 = changeCount }
                return encode(value)
            }, written: written)
    }

    /// An attempt has succeeded.
    func settle(_ draft: KeptDraft) {
        let changeCount = draft.written.changeCount.withLock { $0 }
        state.withLock { $0.storedCount = max($0.storedCount, changeCount) }
    }
}

/// One attempt to write a ``KeptValue``.
struct KeptDraft: Sendable {
    let value: ApplicationValue
    fileprivate let written: Written

    /// Up to which change the attempt has written.
    fileprivate final class Written: Sendable {
        let changeCount = Lock(0)
    }
}
