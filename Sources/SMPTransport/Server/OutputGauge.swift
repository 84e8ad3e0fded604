import BaseKit
import SMP
import Synchronization

/// How much may wait for clients that don't read.
public struct OutputLimits: Sendable, Equatable {
    /// Bytes for one session; it is closed beyond that. The answers to one block may take 4 MiB.
    package var perSession = 6 << 20
    /// Bytes for all sessions; beyond that, a session that lets more wait than its share is closed.
    public var total = 128 << 20
    /// Bytes that may wait for one session before nothing more is done for it.
    public var enough = 256 << 10
    /// A session for which something waits and that takes nothing for so long is closed.
    public var patience = Duration.seconds(60)

    /// The usual limits of a relay.
    public init() {}

    /// For a listener whose sessions know by themselves when to stop.
    public static let none: OutputLimits = {
        var limits = OutputLimits()
        (limits.perSession, limits.total) = (.max, .max)
        return limits
    }()
}

/// Bytes that are kept for a client before they are handed over, counted against its limits until this is gone.
public final class OutputReserve: Sendable {
    private let gauge: OutputGauge
    private let bytes: Atomic<Int>

    init(_ bytes: Int, of gauge: OutputGauge) {
        self.gauge = gauge
        self.bytes = Atomic(bytes)
        gauge.reserve(bytes)
    }

    deinit { release() }

    /// Counts them no more, before they are handed over.
    public func release() {
        let bytes = bytes.exchange(0, ordering: .relaxed)
        if bytes > 0 { gauge.reserve(-bytes) }
    }
}

/// Bytes that wait for one client, counted from the moment they are handed over on any thread.
final class OutputGauge: Sendable {
    private struct State {
        var pending = 0
        /// Bytes that are not handed over yet.
        var reserved = 0
        /// Bytes taken by the network so far.
        var sent: UInt64 = 0
        var wantsRoom = false
    }

    private let ledger: ConnectionLedger
    private let state = Lock(State())

    init(ledger: ConnectionLedger) { self.ledger = ledger }

    var pending: Int { state.withLock { $0.pending } }

    /// Changes as long as the client takes anything.
    var sent: UInt64 { state.withLock { $0.sent } }

    /// Bytes were handed over.
    func add(_ bytes: Int) {
        state.withLock { $0.pending += bytes }
        ledger.addOutput(bytes)
    }

    /// Bytes are kept before they are handed over, or not any more.
    func reserve(_ bytes: Int) {
        state.withLock { $0.reserved += bytes }
        ledger.addOutput(bytes)
    }

    /// Bytes went to the network or were dropped.
    ///
    /// - Returns: whether somebody waited for room that is there now.
    func remove(_ bytes: Int) -> Bool {
        ledger.addOutput(-bytes)
        return state.withLock { state in
            state.pending -= bytes
            state.sent &+= UInt64(bytes)
            guard state.wantsRoom, state.pending <= ledger.outputLimits.enough else { return false }
            state.wantsRoom = false
            return true
        }
    }

    /// Whether more waits than a client should have.
    var lacksRoom: Bool { pending > ledger.outputLimits.enough }

    /// The same; if so, ``remove(_:)`` will tell when it is less.
    func wantsRoom() -> Bool {
        state.withLock { state in
            guard state.pending > ledger.outputLimits.enough else { return false }
            state.wantsRoom = true
            return true
        }
    }

    /// Whether the client has to be given up.
    var isOverLimit: Bool {
        let pending = state.withLock { $0.pending + $0.reserved }
        let limits = ledger.outputLimits
        if pending > limits.perSession { return true }
        guard ledger.output > limits.total else { return false }
        return pending > max(2 * SMPLimits.block, limits.total / max(1, ledger.count))
    }
}
