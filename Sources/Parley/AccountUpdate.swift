import Calling
import Synchronization

/// What an account tells a window or a program.
public enum AccountUpdate: Sendable {
    /// The contacts as they are now.
    case contacts([Contact])
    /// Somebody calls.
    case incoming(Call)
    /// The connection to the own relay came up or went down.
    case relay(RelayStatus)
    /// A contact will never be connected, with one sentence that says why.
    case failed(ContactID, String)
    /// One sentence for the person, such as a missed call.
    case notice(String)
}

/// The state of the connection to the relay that holds the own queues.
public struct RelayStatus: Sendable, Equatable {
    /// `smp://FINGERPRINT@HOST:PORT`.
    public var address: String
    /// The agreed SMP version; nil while there is no connection.
    public var smpVersion: Int?
}

/// Hands updates to every listener; a new one first hears what holds now: contacts, relays, calls that ring.
final class AccountUpdates: Sendable {
    private struct State {
        var contacts: [Contact] = []
        var relays: [String: RelayStatus] = [:]
        var ringing: [Call] = []
        var nextListener = 0
        var listeners: [Int: AsyncStream<AccountUpdate>.Continuation] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())

    func send(_ update: AccountUpdate) {
        let listeners = state.withLock { state in
            switch update {
            case .contacts(let contacts): state.contacts = contacts
            case .relay(let status): state.relays[status.address] = status
            case .incoming(let call): state.ringing.append(call)
            case .failed, .notice: break
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(update) }
    }

    /// A call is over or taken; later listeners need not hear of it.
    func forget(_ call: Call) {
        state.withLock { $0.ringing.removeAll { $0 === call } }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    func stream() -> AsyncStream<AccountUpdate> {
        let (stream, continuation) = AsyncStream<AccountUpdate>.makeStream()
        state.withLock { state in
            continuation.yield(.contacts(state.contacts))
            for status in state.relays.values { continuation.yield(.relay(status)) }
            for call in state.ringing { continuation.yield(.incoming(call)) }
            guard !state.isFinished else { return continuation.finish() }
            let listener = state.nextListener
            state.nextListener += 1
            state.listeners[listener] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
            }
        }
        return stream
    }
}
