import BaseKit

/// Whether anybody in a room wants our large pictures, as ``LargeWishes`` of the others say. Who says nothing, as an older program, wants them.
package struct LargeDemand: Sendable, Equatable {
    /// How long somebody who has come may take to say so: until then small ones are shown.
    static let patience: Duration = .seconds(3)
    /// How long the wish of somebody counts who does not send to the room any more: a connection that is made anew is no change of mind.
    static let absence: Duration = .seconds(10)

    private var came: [UInt8: Instant] = [:]
    private var wanted: [UInt8: Instant] = [:]

    package init() {}

    /// - Parameters:
    ///   - present: who sends to the room.
    ///   - wishes: what members have said.
    package mutating func update(_ present: Set<UInt8>, wishes: [UInt8: Bool], now: Instant) -> Bool {
        came = came.filter { present.contains($0.key) }
        for member in present where came[member] == nil { came[member] = now }
        for (member, since) in came {
            wanted[member] = wishes[member] ?? (now - since >= Self.patience) ? now : nil
        }
        wanted = wanted.filter { now - $0.value < Self.absence && wishes[$0.key] != false }
        return !wanted.isEmpty
    }
}
