import BaseKit
import MediaRules
import Portal

/// Asks the person what of the desktop may be seen.
protocol ScreenChoosing: Sendable {
    /// Waits for the person; ends early, with nil, when the task is cancelled.
    ///
    /// Nil when the person refused. Throws ``MediaError/device(_:)`` with a sentence when nobody can be asked.
    func choose() async throws(MediaError) -> ChosenScreen?
}

/// What the person let us see: a node of PipeWire behind a descriptor of its own. The right to it ends with this object.
final class ChosenScreen: Sendable {
    private struct State {
        var onClosed: (@Sendable () -> Void)?
        var isClosed = false
        var end: (@Sendable () async -> Void)?
    }

    /// Connected to PipeWire.
    let descriptor: FileDescriptor
    /// The node's id.
    let node: UInt32
    private let state: Lock<State>

    /// `end` gives the right back.
    init(descriptor: FileDescriptor, node: UInt32, end: @escaping @Sendable () async -> Void) {
        self.descriptor = descriptor
        self.node = node
        state = Lock(State(end: end))
    }

    /// Sets what is called when the desktop takes the right away; at once if it has already.
    func onClosed(_ body: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            state.onClosed = body
            return state.isClosed
        }
        if isClosed { body() }
    }

    /// The desktop took the right away.
    func closedByDesktop() {
        let body = state.withLock { state in
            state.isClosed = true
            return state.onClosed
        }
        body?()
    }

    /// Gives the right back.
    func close() async {
        let end = state.withLock { state in
            state.onClosed = nil
            defer { state.end = nil }
            return state.end
        }
        await end?()
    }
}
