import Calling

/// A person one can call.
public struct Contact: Sendable, Hashable, Identifiable {
    /// What names the contact on this side only.
    public let id: ContactID
    /// The name the person gave themselves; while connecting, a placeholder.
    public var name: String
    /// Whether this is the echo inside the program.
    public var isTestCall: Bool
    /// Whether both sides have finished connecting.
    public var isConnected: Bool
    /// Whether the person's profile lets us call.
    public var allowsCalls: Bool

    /// A contact with the given parts.
    public init(id: ContactID, name: String, isTestCall: Bool = false, isConnected: Bool, allowsCalls: Bool = true) {
        self.id = id
        self.name = name
        self.isTestCall = isTestCall
        self.isConnected = isConnected
        self.allowsCalls = allowsCalls
    }
}
