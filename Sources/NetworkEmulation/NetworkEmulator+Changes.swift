import Foundation

/// What may happen to a network while programs use it.
extension NetworkEmulator {
    /// A network whose two directions are in one condition until they are changed.
    /// - Throws: `NetworkEmulationError`.
    package convenience init(_ condition: LinkCondition = LinkCondition(), seed: UInt64 = 1) throws {
        let phase = NetworkPlan.Phase(from: 0, forward: condition, backward: condition)
        try self.init(plan: NetworkPlan(about: "One condition.", seed: seed, duration: 86_400, phases: [phase]))
    }

    /// Why no network can be emulated here, in one sentence; nil when one can. For tests that are to be skipped then.
    package static let obstacle: String? = {
        do {
            try NetworkEmulator().stop()
            return nil
        } catch { return "\(error)" }
    }()

    /// From now on both directions are in this condition, whatever the plan said.
    package func change(to condition: LinkCondition) {
        change(to: NetworkPlan.Phase(from: 0, forward: condition, backward: condition))
    }

    /// Gives a side other addresses in place of those it has, as when a machine moves to another network. What it sends from
    /// the old ones is not carried any more.
    /// - Parameter number: The last number of both addresses, 3 to 254, that neither side has had.
    /// - Returns: The side as it is now.
    /// - Throws: `NetworkEmulationError.command`.
    package func move(_ side: Side, to number: Int) throws -> Side {
        let moved = Side(
            address: "10.89.0.\(number)", address6: "fd89::\(String(number, radix: 16))", namespace: side.namespace,
            device: side.device)
        let namespace = NetworkNamespace(existing: side.namespace)
        try namespace.remove(addresses: side.prefixes, from: side.device)
        try namespace.add(addresses: moved.prefixes, to: side.device)
        return moved
    }

    /// Takes a side's device down: its programs are told that there is no network.
    /// - Throws: `NetworkEmulationError.command`.
    package func unplug(_ side: Side) throws {
        try NetworkNamespace.run("-n", side.namespace, "link", "set", side.device, "down")
    }

    /// Brings a side's device up again, with its addresses.
    /// - Throws: `NetworkEmulationError.command`.
    package func plug(_ side: Side) throws {
        try NetworkNamespace.run("-n", side.namespace, "link", "set", side.device, "up")
        // Addresses of IPv6 go with the device.
        try NetworkNamespace(existing: side.namespace).add(addresses: side.prefixes, to: side.device)
    }
}
