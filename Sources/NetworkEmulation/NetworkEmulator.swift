import Foundation
import Synchronization

/// Two network namespaces with one link between them, on which a plan happens.
///
/// Each namespace holds a TUN device; this process holds both ends and carries packets from one to the other, in a thread of
/// its own, with what the plan says of delay, jitter, loss, rate and queue. No module of the kernel is needed.
public final class NetworkEmulator: Sendable {
    /// One side of the link.
    public struct Side: Sendable, Equatable {
        /// Its IPv4 address.
        public let address: String
        /// Its IPv6 address.
        public let address6: String
        let namespace: String

        /// The words before a command that make it run in this side's namespace.
        public var prefix: [String] {
            ["/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip", "netns", "exec", namespace]
        }
    }

    /// What both directions did.
    public struct Statistics: Sendable, Equatable {
        /// From the first side to the second.
        public var forward = EmulatedLink.Statistics()
        /// From the second side to the first.
        public var backward = EmulatedLink.Statistics()
    }

    private struct State {
        var phases: [NetworkPlan.Phase]
        var statistics = Statistics()
        var isStopped = false
        var startedAt: Int64?
    }

    /// The first side.
    public let first: Side
    /// The second side.
    public let second: Side

    private let namespaces: [NetworkNamespace]
    private let state: Mutex<State>
    private let seed: UInt64

    /// Makes the namespaces and the link, in the condition of the plan's first phase. Time runs from ``start()``.
    /// - Throws: `NetworkEmulationError`.
    public init(plan: NetworkPlan) throws {
        guard geteuid() == 0 else { throw NetworkEmulationError.notPermitted }
        seed = plan.seed
        state = Mutex(State(phases: plan.phases))
        let mark = "\(getpid())-\(UInt16.random(in: 0...UInt16.max))"
        first = Side(address: "10.89.0.1", address6: "fd89::1", namespace: "parley-\(mark)-1")
        second = Side(address: "10.89.0.2", address6: "fd89::2", namespace: "parley-\(mark)-2")
        var made: [NetworkNamespace] = []
        var devices: [TunnelDevice] = []
        do {
            for (index, side) in [first, second].enumerated() {
                let device = "pl\(index + 1)-\(mark)".prefix(15)
                devices.append(try TunnelDevice(name: String(device)))
                let namespace = try NetworkNamespace(name: side.namespace)
                made.append(namespace)
                try namespace.take(device: String(device), addresses: [side.address + "/24", side.address6 + "/64"])
            }
        } catch {
            for namespace in made { namespace.remove() }
            throw error
        }
        namespaces = made
        let (one, other) = (devices[0], devices[1])
        let thread = Thread { [weak self] in
            var carrier = Carrier(first: one, second: other, plan: plan)
            while true {
                let isOver = carrier.turn { self?.step(carrying: &$0) ?? true }
                if isOver { return }
            }
        }
        thread.name = "network"
        thread.start()
    }

    deinit { stop() }

    /// The plan's time begins.
    public func start() { state.withLock { $0.startedAt = Carrier.now } }

    /// From now on the link is as this phase says, whatever the plan said.
    public func change(to phase: NetworkPlan.Phase) {
        state.withLock { $0.phases = [NetworkPlan.Phase(from: 0, forward: phase.forward, backward: phase.backward)] }
    }

    /// What the link did so far.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// Removes the namespaces; programs in them lose the link.
    public func stop() {
        let wasStopped = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped
        }
        if !wasStopped { for namespace in namespaces { namespace.remove() } }
    }

    /// Tells the carrier how the link is now and takes its counts; true when it shall end.
    private func step(carrying carrier: inout Carrier) -> Bool {
        state.withLock { state in
            let moment = state.startedAt.map { Double(Carrier.now - $0) / 1_000_000 } ?? 0
            if let phase = state.phases.last(where: { $0.from <= moment }) {
                carrier.forward.condition = phase.forward
                carrier.backward.condition = phase.backward
            }
            state.statistics = Statistics(forward: carrier.forward.statistics, backward: carrier.backward.statistics)
            return state.isStopped
        }
    }
}

/// Carries packets between two devices.
private struct Carrier {
    private let first: TunnelDevice
    private let second: TunnelDevice
    var forward: EmulatedLink
    var backward: EmulatedLink
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(first: TunnelDevice, second: TunnelDevice, plan: NetworkPlan) {
        self.first = first
        self.second = second
        let phase = plan.phases.first
        forward = EmulatedLink(phase?.forward ?? LinkCondition(), seed: plan.seed)
        backward = EmulatedLink(phase?.backward ?? LinkCondition(), seed: plan.seed &+ 1)
    }

    /// Microseconds of the monotonic clock.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Waits for a packet or an arrival, at most 20 ms, and carries what there is.
    mutating func turn(_ step: (inout Carrier) -> Bool) -> Bool {
        var descriptors = [
            pollfd(fd: first.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: second.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let next = [forward.nextArrival, backward.nextArrival].compactMap { $0 }.min()
        let wait = min(max(0, next.map { $0 - Self.now } ?? 20_000), 20_000)
        // Waiting for packets is by milliseconds; the rest of the way to an arrival is slept.
        if poll(&descriptors, 2, Int32(wait / 1_000)) == 0, wait < 1_000 { usleep(UInt32(wait)) }
        if step(&self) { return true }
        let now = Self.now
        for packet in first.read(into: &buffer) { forward.offer(packet, now: now) }
        for packet in second.read(into: &buffer) { backward.offer(packet, now: now) }
        for packet in forward.arrivals(now: Self.now) { second.write(packet) }
        for packet in backward.arrivals(now: Self.now) { first.write(packet) }
        return false
    }
}
