/// A version of the SMP protocol (SMP fact sheet §3).
public struct SMPVersion: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public init(integerLiteral value: UInt16) { rawValue = value }

    /// Authenticators, session id left out of transmissions, keys in the hellos.
    static let authenticatedCommands: SMPVersion = 7
    /// The proxy's commands; shorter messages.
    static let proxying: SMPVersion = 8
    /// The sender may secure the queue: SKEY and the flag in NEW and IDS.
    static let senderSecures: SMPVersion = 9
    /// The event DELD.
    static let deletedEvent: SMPVersion = 10
    /// A second encryption of blocks inside TLS; shorter messages again.
    package static let blockEncryption: SMPVersion = 11
    /// The error BLOCKED.
    static let blockedError: SMPVersion = 12
    /// The client hello says whether the client is a proxy.
    public static let proxyFlag: SMPVersion = 14
    /// Short links: queue mode and link data.
    public static let shortLinks: SMPVersion = 15
    /// Certificates of services in hello and transmissions.
    public static let services: SMPVersion = 16
    /// Notifier credentials in NEW and IDS.
    package static let notifierInNew: SMPVersion = 17
    /// A notice inside BLOCKED.
    static let blockedNotice: SMPVersion = 18

    public static func < (left: SMPVersion, right: SMPVersion) -> Bool { left.rawValue < right.rawValue }
}

extension SMPVersion: CustomStringConvertible {
    public var description: String { "\(rawValue)" }
}

/// The versions one side speaks, from `min` to `max`.
public struct SMPVersionRange: Hashable, Sendable {
    public let min: SMPVersion
    public let max: SMPVersion

    /// What Parley speaks as client and as relay.
    public static let supported = SMPVersionRange(lower: 9, upper: 17)
    /// What a relay may offer through a proxy at most (SMP fact sheet §10).
    public static let proxied = SMPVersionRange(lower: 8, upper: 17)

    /// Nil when `min` is above `max`.
    public init?(min: SMPVersion, max: SMPVersion) {
        guard min <= max else { return nil }
        self.init(lower: min, upper: max)
    }

    /// One version alone.
    public init(_ version: SMPVersion) { self.init(lower: version, upper: version) }

    /// The versions of a range of numbers.
    public init(_ range: ClosedRange<UInt16>) {
        self.init(lower: SMPVersion(rawValue: range.lowerBound), upper: SMPVersion(rawValue: range.upperBound))
    }

    private init(lower: SMPVersion, upper: SMPVersion) {
        min = lower
        max = upper
    }

    /// The versions both ranges have; the agreed version is its `max`. Nil when there is none.
    public func intersection(_ other: SMPVersionRange) -> SMPVersionRange? {
        SMPVersionRange(min: Swift.max(min, other.min), max: Swift.min(max, other.max))
    }

    /// Whether the range has this version.
    public func contains(_ version: SMPVersion) -> Bool { (min...max).contains(version) }
}
