import BaseKit
import Foundation

/// Two network namespaces with one link between them, on which a plan happens.
///
/// Each namespace holds a TUN device; this process holds both ends and carries packets from one to the other, in a thread of
/// its own, with what the plan says of delay, jitter, loss, rate and queue. No module of the kernel is needed.
package final class NetworkEmulator: Sendable {
    /// One side of the link.
    package struct Side: Sendable, Equatable {
        /// Its IPv4 address.
        package let address: String
        /// Its IPv6 address.
        let address6: String
        let namespace: String
        let device: String
        var prefixes: [String] { [address + "/24", address6 + "/64"] }

        /// The words before a command that make it run in this side's namespace.
        package var prefix: [String] {
            ["/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip", "netns", "exec", namespace]
        }
    }

    /// What both directions did.
    package struct Statistics: Sendable, Equatable {
        /// From the first side to the second.
        package var forward = EmulatedLink.Statistics()
        /// From the second side to the first.
        package var backward = EmulatedLink.Statistics()
    }

    private struct State {
        var phases: [NetworkPlan.Phase]
        var statistics = Statistics()
        var isStopped = false
        var isCut = false
        var isForgotten = false
        var rebindings: ArraySlice<Double> = []
        var taps: [PacketTap] = []
        var startedAt: Instant?
    }

    /// The first side.
    package let first: Side
    /// The second side.
    package let second: Side

    private let namespaces: [NetworkNamespace]
    private let state: Lock<State>
    private let seed: UInt64

    /// Makes the namespaces and the link, in the condition of the plan's first phase. Time runs from ``start()``.
    /// - Throws: `NetworkEmulationError`.
    package init(plan: NetworkPlan) throws {
        try Self.checkPermission()
        seed = plan.seed
        state = Lock(State(phases: plan.phases, rebindings: plan.rebindings[...]))
        let mark = "\(getpid())-\(UInt16.random(in: 0...UInt16.max))"
        func side(_ number: Int) -> Side {
            Side(
                address: "10.89.0.\(number)", address6: "fd89::\(number)", namespace: "parley-\(mark)-\(number)",
                device: String("pl\(number)-\(mark)".prefix(15)))
        }
        (first, second) = (side(1), side(2))
        var made: [NetworkNamespace] = []
        var devices: [TunnelDevice] = []
        do {
            for side in [first, second] {
                devices.append(try TunnelDevice(name: side.device))
                let namespace = try NetworkNamespace(name: side.namespace)
                made.append(namespace)
                try namespace.adopt(device: side.device, addresses: side.prefixes)
            }
        } catch {
            for namespace in made { namespace.remove() }
            throw error
        }
        namespaces = made
        let (one, other) = (devices[0], devices[1])
        let thread = Thread { [weak self] in
            // A late turn would look like a slow network.
            setpriority(Int32(PRIO_PROCESS.rawValue), 0, -20)
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

    /// Throws `NetworkEmulationError.notPermitted` for anybody but root.
    package static func checkPermission() throws(NetworkEmulationError) {
        guard geteuid() == 0 else { throw .notPermitted }
    }

    /// The plan's time begins.
    package func start() { state.withLock { $0.startedAt = .now } }

    /// From now on the link is as this phase says, whatever the plan said.
    package func change(to phase: NetworkPlan.Phase) {
        state.withLock { $0.phases = [NetworkPlan.Phase(from: 0, forward: phase.forward, backward: phase.backward)] }
    }

    /// Nothing arrives any more, either way; programs are not told.
    package func cut() { state.withLock { $0.isCut = true } }

    /// Ends a cut; the link is as it would be without it.
    package func restore() { state.withLock { $0.isCut = false } }

    /// The router before the first side forgets which ports it has given to it: from now on each of its ports is seen under
    /// another number, and what comes for the old one is dropped. Nobody is told.
    package func rebind() { state.withLock { $0.isForgotten = true } }

    /// Shows a tap all packets from now on.
    package func attach(_ tap: PacketTap) { state.withLock { $0.taps.append(tap) } }

    /// What the link did so far.
    package var statistics: Statistics { state.withLock { $0.statistics } }

    /// Removes the namespaces; programs in them lose the link.
    package func stop() {
        let wasStopped = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped
        }
        if !wasStopped { for namespace in namespaces { namespace.remove() } }
    }

    /// Tells the carrier how the link is now and takes its counts; true when it shall end.
    private func step(carrying carrier: inout Carrier) -> Bool {
        state.withLock { state in
            let moment = state.startedAt.map { (.now - $0).inSeconds } ?? 0
            if let phase = state.phases.last(where: { $0.from <= moment }) {
                carrier.forward.condition = phase.forward
                carrier.backward.condition = phase.backward
            }
            if state.isCut {
                carrier.forward.condition.loss = 1
                carrier.backward.condition.loss = 1
            }
            while let due = state.rebindings.first, state.startedAt != nil, due <= moment {
                state.isForgotten = true
                state.rebindings.removeFirst()
            }
            if state.isForgotten { carrier.router.forget() }
            state.isForgotten = false
            carrier.taps = state.taps
            state.statistics = Statistics(forward: carrier.forward.statistics, backward: carrier.backward.statistics)
            return state.isStopped
        }
    }
}

/// Carries packets between two devices.
private struct Carrier {
    /// The longest time between two looks at the link.
    private static let longestWait = Duration.milliseconds(20)

    private let first: TunnelDevice
    private let second: TunnelDevice
    var forward: EmulatedLink
    var backward: EmulatedLink
    /// What the first side is behind.
    var router = PortTranslation()
    var taps: [PacketTap] = []
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(first: TunnelDevice, second: TunnelDevice, plan: NetworkPlan) {
        self.first = first
        self.second = second
        let phase = plan.phases.first
        forward = EmulatedLink(phase?.forward ?? LinkCondition(), seed: plan.seed)
        backward = EmulatedLink(phase?.backward ?? LinkCondition(), seed: plan.seed &+ 1)
    }

    /// Waits for a packet or an arrival, but at most ``longestWait``, and carries what there is.
    mutating func turn(_ step: (inout Carrier) -> Bool) -> Bool {
        var descriptors = [
            pollfd(fd: first.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: second.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let next = [forward.nextArrival, backward.nextArrival].compactMap { $0 }.min()
        let wait = min(max(.zero, next.map { $0 - .now } ?? Self.longestWait), Self.longestWait)
        // Waiting for packets is by milliseconds; the rest of the way to an arrival is slept.
        if poll(&descriptors, 2, Int32(wait.wholeMilliseconds)) == 0, wait < .milliseconds(1) {
            usleep(UInt32(wait.wholeMicroseconds))
        }
        let now = Instant.now
        let (sent, answered) = (first.read(into: &buffer), second.read(into: &buffer))
        // After reading: what a program sends after a change of the link has returned meets the link as it is then.
        if step(&self) { return true }
        for packet in sent {
            let packet = router.outward(packet)
            forward.offer(packet, now: now)
            show(packet, .forward, now)
        }
        for packet in answered {
            backward.offer(packet, now: now)
            show(packet, .backward, now)
        }
        for packet in forward.arrivals(now: .now) { second.write(packet) }
        for packet in backward.arrivals(now: .now) { router.inward(packet).map(first.write) }
        // So that counts are those of this moment.
        return step(&self)
    }

    private func show(_ packet: [UInt8], _ direction: TappedPacket.Direction, _ now: Instant) {
        for tap in taps { tap.record(TappedPacket(time: now, direction: direction, bytes: packet)) }
    }
}
