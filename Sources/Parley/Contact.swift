import Calling

/// A person one can call.
public struct Contact: Sendable, Hashable, Identifiable {
    /// What names the contact on this side only.
    public let id: ContactID
    /// The name the person here knows them by: what they called themselves at first, or since if that was taken up, with a
    /// number if another contact has it; while connecting, a placeholder. No two contacts have the same.
    public var name: String
    /// What they call themselves now, if it is another name; see `Account.takeName(of:)`.
    public var offeredName: String?
    /// Whether this is the echo inside the program.
    public var isTestCall: Bool
    /// Whether both sides have finished connecting.
    public var isConnected: Bool
    /// Whether the person's profile lets us call.
    public var allowsCalls: Bool

    /// A contact with the given parts.
    public init(
        id: ContactID, name: String, offeredName: String? = nil, isTestCall: Bool = false, isConnected: Bool,
        allowsCalls: Bool = true
    ) {
        self.id = id
        self.name = name
        self.offeredName = offeredName
        self.isTestCall = isTestCall
        self.isConnected = isConnected
        self.allowsCalls = allowsCalls
    }
}
