import Parley
import Signaling

/// Somebody who asks at the contact address to become a contact.
package struct RequestItem: Sendable, Hashable, Identifiable {
    /// The provider's number for the request.
    package let id: Int64
    /// The name they gave themselves.
    package let name: String
    /// What they say about themselves.
    package var shortDescription: String?
    /// The picture they show of themselves.
    package var picture: ProfilePicture?
    /// What the person has put on them.
    package var labels: [ContactLabel] = []

    /// Somebody of this name.
    package init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }
}
