import Synchronization

/// Counts the blocks of all sessions that wait for their turn, so that many sessions can't have many each.
final class InputGauge: Sendable {
    /// Blocks of one session; it is not read from beyond that.
    static let usual = 8
    /// Blocks of all sessions, 16 KiB each; beyond that each session has one.
    private let limit: Int
    private let waiting = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    var count: Int { waiting.load(ordering: .relaxed) }

    /// How many blocks a session may have.
    var room: Int { count > limit ? 1 : Self.usual }

    /// A block waits.
    ///
    /// - Returns: how many its session may have.
    func add() -> Int { waiting.wrappingAdd(1, ordering: .relaxed).newValue > limit ? 1 : Self.usual }

    /// Blocks have had their turn, or are not waited for any more.
    func remove(_ count: Int) { waiting.wrappingSubtract(count, ordering: .relaxed) }
}
