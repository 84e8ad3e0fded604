/// Somebody who asks at the contact address to become a contact.
struct RequestItem: Sendable, Hashable, Identifiable {
    /// The provider's number for the request.
    let id: Int64
    /// The name they gave themselves.
    let name: String
}
