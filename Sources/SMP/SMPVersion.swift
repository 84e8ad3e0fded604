/// A version of the SMP protocol (SMP fact sheet §3).
public struct SMPVersion: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public static func < (left: SMPVersion, right: SMPVersion) -> Bool { left.rawValue < right.rawValue }
}
