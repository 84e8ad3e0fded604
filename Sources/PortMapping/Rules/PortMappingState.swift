/// How a router was asked to forward a port.
public enum PortMappingWay: Sendable, Hashable {
    /// By the Port Control Protocol (RFC 6887).
    case pcp
    /// By NAT-PMP (RFC 6886), which routers of Apple and others spoke before.
    case natPMP
    /// By UPnP, as an Internet gateway device.
    case upnp
}

/// A port that a router says it forwards.
public struct MappedPort: Sendable, Hashable {
    /// The router's own address outside, of IPv4, as it says.
    public let address: String
    /// Outside.
    public let port: UInt16
    public let way: PortMappingWay

    public init(address: String, port: UInt16, way: PortMappingWay) {
        (self.address, self.port, self.way) = (address, port, way)
    }
}

/// Why a router does not forward a port.
public enum RouterRefusal: Error, Sendable, Hashable {
    /// It is set not to.
    case notAuthorized
    /// It has no address outside, or no connection.
    case noExternalAddress
    /// It forwards as many ports as it can, or as many as one machine may have.
    case noResources
    /// It forwards the port to somebody else already, and others that were tried, too.
    case portTaken
    /// Between this machine and the router is another one that changes addresses.
    case anotherInBetween
    /// It said so with a number of its own.
    case other(PortMappingWay, Int)
}

/// What has come of asking the router to forward a port.
public enum PortMappingState: Sendable, Hashable {
    /// Nothing yet.
    case asking
    /// It says that it forwards the port. That is no proof that others reach it.
    case open(MappedPort)
    /// It says so, too, but its own address outside is one of a private network: it is behind another router, which does not.
    case behindAnotherRouter(MappedPort)
    case refused(RouterRefusal)
    /// There is none, or none that answers.
    case unanswered
    /// It forwarded the port and does not any more, or does not answer any more. (what it said last, if anything)
    case lost(RouterRefusal?)

    /// What the router forwards, wherever that leads.
    public var mapped: MappedPort? {
        switch self {
        case .open(let port), .behindAnotherRouter(let port): port
        case .asking, .refused, .unanswered, .lost: nil
        }
    }
}

/// What is asked by UPnP; the answer is an ``UPnPOutcome``.
package enum UPnPRequest: Equatable, Sendable {
    /// To forward TCP, at this port outside if that is free. The lifetime is in seconds.
    case map(internalPort: UInt16, externalPort: UInt16, lifetime: UInt32)
    case remove(externalPort: UInt16)
}

/// What came of asking by UPnP.
package enum UPnPOutcome: Equatable, Sendable {
    /// The lifetime is in seconds; 0: until it is removed.
    case mapped(IPv4Address, port: UInt16, lifetime: UInt32)
    case refused(RouterRefusal)
    /// No router answers, or none that forwards ports.
    case absent
    /// Removed, or not there any more.
    case removed
}
