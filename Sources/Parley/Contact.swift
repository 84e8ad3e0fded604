import Calling
import Foundation
import Signaling

/// A person one can call.
public struct Contact: Sendable, Hashable, Identifiable {
    /// What names the contact on this side only.
    public let id: ContactID
    /// The name the person here knows them by: what the person here has named them; else what they called themselves at first, or since
    /// if that was taken up, with a number if another contact has it; while connecting, a placeholder. No two contacts have the same.
    public var name: String
    /// Whether the person here has given them their name; see `Account.rename(_:to:)`.
    public var isNamedHere = false
    /// What they call themselves now; nil before that is known.
    public var ownName: String?
    /// Whether nobody has told a name yet: there is ``placeholderName`` in its place, with a number where there are several.
    public var isUnnamed = false
    /// What they say about themselves, a line; nil when they say nothing.
    public var shortDescription: String?
    /// The picture they show of themselves, checked and not decoded; nil when there is none that can be taken.
    public var picture: ProfilePicture?
    /// Whether both people have compared the security code that holds now; see `Account.setCompared(_:of:)`.
    public var isCompared = false
    /// What the person here has put on them, in the order in which that was.
    public var labels: [ContactLabel] = []
    /// The last call of the log with them; nil when there is none, or none was found yet.
    public var lastCall: LastCall?
    /// What they call themselves now, if it is another name; see `Account.takeName(of:)`.
    public var offeredName: String?
    /// Whether this is the echo inside the program.
    public var isTestCall: Bool
    /// Whether both sides have finished connecting, and still are connected.
    public var isConnected: Bool
    /// Why the contact can't be called and won't be by waiting; nil otherwise.
    public var trouble: Trouble?
    /// Whether the person's profile lets us call.
    public var allowsCalls: Bool
    /// Whether their program takes part in calls of several, as it says.
    public var takesGroupCalls = false
    /// Whether their calls ring nowhere here; see `Account.setBlocked(_:_:)`.
    public var isBlocked: Bool
    /// The link made for this person, while nobody has opened it; nil otherwise.
    public var invitation: String?
    /// When a link was made for this person; nil when none was, or by an earlier Parley.
    public var invitedAt: Date?

    /// Whether calls with them are kept in the log, as far as the log is kept at all.
    public var keepsCalls: Bool

    /// What the echo inside the program is called.
    public static let testCallName = "Test call"
    /// What stands for a name that nobody has told.
    public static let placeholderName = "New contact"
    /// What stands for the name of somebody who is no contact any more, or not yet.
    public static let unknownName = "Unknown contact"

    /// The last call with a contact.
    public struct LastCall: Sendable, Hashable {
        /// Its number in the log.
        public var number: LoggedCall.ID
        /// When it began.
        public var date: Date
        /// On which side it began.
        public var direction: CallDirection
        /// What was wanted.
        public var media: CallMedia
        /// How it ended.
        public var result: CallResult

        /// Whether it came in and nobody here took or declined it.
        public var isMissed: Bool { result.isMissed(direction) }

        /// A call as it is in the log.
        public init(_ call: LoggedCall) {
            number = call.id
            date = Date(timeIntervalSince1970: TimeInterval(call.record.startedAt))
            direction = call.record.direction
            media = call.record.media
            result = call.record.result
        }
    }

    /// What time does not mend.
    public enum Trouble: Sendable, Hashable {
        /// The person has removed this side from their contacts, or their mailbox is gone.
        case gone
        /// The own mailbox for them is not at its relay any more: nothing of theirs arrives, and no repair can help. So it is after a
        /// profile was put back to a copy from before the mailbox moved. Only a new link connects both again.
        case cutOff
        /// Connecting failed for good, for this reason. `Account.retry(_:)` begins anew where `canRetry`: with a
        /// link that was made here, only a new one helps.
        case failed(ConnectionFault, canRetry: Bool)
    }

    /// A contact with the given parts.
    public init(
        id: ContactID, name: String, offeredName: String? = nil, isTestCall: Bool = false, isConnected: Bool,
        allowsCalls: Bool = true, isBlocked: Bool = false, trouble: Trouble? = nil, invitation: String? = nil,
        keepsCalls: Bool = true
    ) {
        self.keepsCalls = keepsCalls
        self.trouble = trouble
        self.id = id
        self.name = name
        self.offeredName = offeredName
        self.isTestCall = isTestCall
        self.isConnected = isConnected
        self.allowsCalls = allowsCalls
        self.isBlocked = isBlocked
        self.invitation = invitation
    }
}
