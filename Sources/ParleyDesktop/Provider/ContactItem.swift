/// A contact as the window shows it.
struct ContactItem: Sendable, Hashable, Identifiable {
    /// The provider's name for the contact; stable while the profile lives.
    let id: String
    /// What the person calls them.
    let name: String
    /// Whether this is the endpoint inside the app that answers every call.
    let isTestCall: Bool
    /// Whether the handshake is complete, so that a call can be made.
    let isConnected: Bool
}
