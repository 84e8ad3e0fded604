import SMP
import SMPSession

/// A relay as the agent sees it now.
public struct RelayState: Equatable, Sendable {
    /// Without password.
    public let address: RelayAddress
    /// Whether own queues are made there; otherwise a contact chose it.
    public let isOwn: Bool
    /// The SMP version of the present connection; nil without one.
    public let smpVersion: UInt16?
    /// How many own queues are on it.
    public let queues: Int
    /// Why the last attempt to connect failed; nil while connected and before the first attempt ended.
    public let problem: TransportError?
}

extension Agent {
    /// The relays in use, own ones first in their configured order.
    ///
    /// - Throws: `AgentError.stopped`.
    public func relayStates() async throws -> [RelayState] {
        try ensureOpen()
        let own = configuration.relays
        let others = lines.keys.filter { !own.contains($0) }.sorted { $0.text < $1.text }
        return (own + others).map { relay in
            let line = lines[relay]
            return RelayState(
                address: relay.withoutPassword, isOwn: own.contains(relay),
                smpVersion: line?.isUp == true ? line?.version?.rawValue : nil,
                queues: places.keys.count { $0.relay == relay }, problem: line?.problem)
        }
    }
}
