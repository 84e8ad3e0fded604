/// Somebody asks at a contact address to be connected.
public struct ContactRequest: Equatable, Sendable, Identifiable {
    /// The number by which it is accepted or rejected.
    public let id: Int64
    /// The address it came in at.
    public let address: ConnectionID
    /// When the relay took it: seconds since 1970.
    public let brokerTime: Int64
    /// What the requester says of itself.
    public let information: [UInt8]
}

/// A contact address of the own profile.
public struct ContactAddress: Equatable, Sendable, Identifiable {
    /// By this name it is deleted.
    public let id: ConnectionID
    /// The link that anybody may use, any number of times.
    public let link: String
}
