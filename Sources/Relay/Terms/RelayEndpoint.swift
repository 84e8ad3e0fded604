/// An address to listen on.
public struct RelayEndpoint: Sendable, Hashable {
    /// Address of an own interface, or a name that stands for one; an IPv6 address without brackets.
    public var host: String
    /// 0 for any free port.
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

extension RelayEndpoint {
    /// Where this machine itself reaches who listens here: an address that stands for every interface can't be dialled.
    var dialledHost: String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}

extension RelayEndpoint: CustomStringConvertible {
    /// `HOST:PORT`; an IPv6 address stands in brackets.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
