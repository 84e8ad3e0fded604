/// Somebody who asks at the contact address to become a contact.
package struct RequestItem: Sendable, Hashable, Identifiable {
    /// The provider's number for the request.
    package let id: Int64
    /// The name they gave themselves.
    package let name: String

    /// Somebody of this name.
    package init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }
}
