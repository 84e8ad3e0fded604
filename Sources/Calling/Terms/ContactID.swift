/// Who a call is with: an opaque name which the floors above give to a contact.
public struct ContactID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Takes a name as it is.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
}
