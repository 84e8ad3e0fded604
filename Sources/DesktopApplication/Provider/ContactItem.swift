import Foundation
import Parley
import Signaling

/// A contact as the window shows it.
package struct ContactItem: Sendable, Hashable, Identifiable {
    /// How the connection to a contact fares.
    package enum Condition: Sendable, Hashable {
        /// Messages and calls go through.
        case fine
        /// A relay on the way can't be reached now.
        case relayUnreachable
        /// What they send can't be read; the connection needs a repair.
        case damaged
        /// Both sides agree on new keys.
        case repairing
        /// They have removed us from their contacts.
        case gone
        /// Nothing of theirs arrives any more; only a new link helps.
        case cutOff
        /// Connecting failed for good, with one sentence that says why; it may be tried again.
        case failed(String, canRetry: Bool)
    }

    /// The provider's name for the contact; stable while the profile lives.
    package let id: String
    /// What the person calls them.
    package let name: String
    /// What they call themselves since; nil while that is the same.
    package var offeredName: String?
    /// Whether this is the endpoint inside the app that answers every call.
    package let isTestCall: Bool
    /// Whether the handshake is complete, so that a call can be made.
    package let isConnected: Bool
    /// Whether they let themselves be called.
    package var allowsCalls: Bool
    /// Whether their calls ring nowhere here, and they can't be called.
    package var isBlocked: Bool
    /// The link for this person that nobody has opened yet; nil without one.
    package var invitation: String?
    /// When a link was made for this person; nil when that is not known.
    package var invitedAt: Date?
    /// Whether calls with them are kept in the log.
    package var keepsCalls: Bool
    /// Whether their program takes part in calls of several, as it says.
    package var takesGroupCalls = false
    /// How many of their messages nobody has read.
    package var unreadMessages = 0
    /// How the connection fares.
    package var condition: Condition
    /// Whether the person has given them their name.
    package var isNamedHere = false
    /// What they call themselves; nil before that is known.
    package var ownName: String?
    /// What they say about themselves.
    package var shortDescription: String?
    /// The picture they show of themselves.
    package var picture: ProfilePicture?
    /// Whether the security code that holds now was compared.
    package var isCompared = false
    /// What the person has put on them.
    package var labels: [ContactLabel] = []
    /// The last call with them.
    package var lastCall: Contact.LastCall?

    /// A contact with these parts.
    package init(
        id: String, name: String, offeredName: String? = nil, isTestCall: Bool, isConnected: Bool,
        allowsCalls: Bool = true, isBlocked: Bool = false, invitation: String? = nil, condition: Condition = .fine,
        keepsCalls: Bool = true
    ) {
        self.id = id
        self.name = name
        self.offeredName = offeredName
        self.isTestCall = isTestCall
        self.isConnected = isConnected
        self.allowsCalls = allowsCalls
        self.isBlocked = isBlocked
        self.invitation = invitation
        self.condition = condition
        self.keepsCalls = keepsCalls
    }
}
