/// A kind of service, such as `_parley._tcp` (RFC 6763 §7).
package struct ServiceKind: Hashable, Sendable {
    package let text: String

    /// The relay inside a Parley; its TXT record has `fp`, the fingerprint as in its address.
    package static let relay = ServiceKind(text: "_parley-smp._tcp")
    /// A person who looks for people nearby; its TXT record has `name` and `id`.
    package static let person = ServiceKind(text: "_parley._tcp")

    package init(text: String) { self.text = text }
}

/// One service as it is found: who exactly is meant, before anybody knows where it is.
package struct ServiceName: Hashable, Sendable {
    /// The number of the network interface and of the protocol, as Avahi names them.
    package let interface: Int32
    let networkProtocol: Int32
    /// What it calls itself. Anybody in the network can call themselves anything.
    package let name: String
    package let kind: ServiceKind
    package let domain: String
    /// Whether this machine announces it.
    package let isOwn: Bool

    package init(
        interface: Int32, networkProtocol: Int32, name: String, kind: ServiceKind, domain: String = "local",
        isOwn: Bool = false
    ) {
        (self.interface, self.networkProtocol, self.name) = (interface, networkProtocol, name)
        (self.kind, self.domain, self.isOwn) = (kind, domain, isOwn)
    }
}

/// What happens among the services of a kind.
package enum ServiceNews: Equatable, Sendable {
    case found(ServiceName)
    case lost(ServiceName)
    /// All that were known at the beginning have been told.
    case upToDate
}

/// Where a service is, and what it says of itself.
package struct ServicePlace: Equatable, Sendable {
    /// Such as `desk.local`.
    package let host: String
    /// An address, with the interface (`%eth0`'s number) where it means nothing without.
    package let address: String
    package let port: UInt16
    package let text: ServiceText

    package init(host: String, address: String, port: UInt16, text: ServiceText) {
        (self.host, self.address, self.port, self.text) = (host, address, port, text)
    }
}
