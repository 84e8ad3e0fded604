import Foundation
import Signaling

/// Somebody who asks at the contact address to be connected.
public struct IncomingRequest: Sendable, Hashable, Identifiable {
    /// The number by which it is accepted or rejected.
    public let id: Int64
    /// The name they gave themselves; ``placeholderName`` where they gave none.
    public let name: String
    /// Whether they gave themselves no name.
    public let isUnnamed: Bool
    /// When the relay took the request.
    public let date: Date
    /// What they say about themselves, a line; nil when they say nothing.
    public let shortDescription: String?
    /// The picture they show of themselves, checked and not decoded; nil when there is none that can be taken.
    public let picture: ProfilePicture?
    /// What the person here has put on them; an accepted one keeps it as a contact.
    public let labels: [ContactLabel]

    /// What stands for a name that somebody who asks has not told.
    public static let placeholderName = "Somebody without a name"

    init(id: Int64, information: [UInt8], brokerTime: Int64, labels: [ContactLabel]) {
        let profile = Profile(request: information)
        self.id = id
        let told = displayName(inRequest: information)
        name = told ?? Self.placeholderName
        isUnnamed = told == nil
        shortDescription = profile?.shortDescription.flatMap(OwnProfile.cleanedDescription)
        picture = profile?.image.flatMap { try? ProfilePicture(parsing: $0) }
        self.labels = labels
        date = Date(timeIntervalSince1970: TimeInterval(brokerTime))
    }
}
