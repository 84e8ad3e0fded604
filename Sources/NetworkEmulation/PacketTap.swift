import BaseKit

/// A packet that a side sent, as it came to the link: before losses, whether or not it arrives.
package struct TappedPacket: Sendable, Equatable {
    /// Which way a packet goes.
    package enum Direction: Sendable, Equatable {
        /// From the first side to the second.
        case forward
        /// From the second side to the first.
        case backward
    }

    /// When it came.
    package var time: Instant
    /// Which way.
    package var direction: Direction
    /// The whole IP packet.
    package var bytes: [UInt8]

    /// A packet.
    package init(time: Instant, direction: Direction, bytes: [UInt8]) {
        self.time = time
        self.direction = direction
        self.bytes = bytes
    }
}

/// Keeps the packets that cross a link, for tests of what leaves a machine and what does not.
///
/// Attach it with ``NetworkEmulator/attach(_:)``; one may be attached to several.
package final class PacketTap: Sendable {
    private struct State: Sendable {
        var packets: [TappedPacket] = []
        var missed = 0
    }

    private let state = Lock(State())
    private let limit: Int
    private let isWanted: @Sendable (TappedPacket) -> Bool

    /// A tap that keeps the first `limit` packets that are wanted. Without a filter of its own it leaves out what a system
    /// sends by itself over IPv6 (``TappedPacket/isHousekeeping``).
    package init(
        limit: Int = 100_000, keeping isWanted: @escaping @Sendable (TappedPacket) -> Bool = { !$0.isHousekeeping }
    ) {
        self.limit = limit
        self.isWanted = isWanted
    }

    /// What has come so far, in order.
    package var packets: [TappedPacket] { state.withLock { $0.packets } }
    /// How many wanted packets there was no room for.
    package var missed: Int { state.withLock { $0.missed } }

    /// Forgets what has come so far.
    package func clear() { state.withLock { $0 = State() } }

    func record(_ packet: TappedPacket) {
        guard isWanted(packet) else { return }
        state.withLock { state in
            guard state.packets.count < limit else {
                state.missed += 1
                return
            }
            state.packets.append(packet)
        }
    }
}
