import SFURules

/// The call server over which calls of several go that this person begins, where their members are too many to reach each other directly.
public struct GroupServer: Sendable, Equatable {
    /// Where it is.
    public var address: SFUAddress
    /// What it wants to see.
    public var keys: SFUKeys
    /// Whether calls of several go over it from the beginning, also those of few.
    public var isAlwaysUsed: Bool

    /// A server that is used from the fifth person on.
    public init(address: SFUAddress, keys: SFUKeys = SFUKeys(), isAlwaysUsed: Bool = false) {
        (self.address, self.keys, self.isAlwaysUsed) = (address, keys, isAlwaysUsed)
    }
}
