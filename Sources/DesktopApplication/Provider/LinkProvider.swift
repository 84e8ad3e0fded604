import Parley

/// Links, of the person and of others.
@MainActor package protocol LinkProvider: AnyObject {
    /// Makes a link for one person; `name` is what the person here calls them, nil when it is not said.
    func makeInvitation(for name: String?) async throws -> InvitationItem
    /// Takes a link back that nobody has opened yet, with the contact that it was to become.
    func withdrawInvitation(of contact: ContactItem) async throws
    /// What a text leads to that the person has pasted; nil when it is no link.
    func kind(ofLink text: String) -> LinkKindItem?
    /// What a link says of itself. Nobody is asked for it.
    func look(atLink text: String) async -> LinkSight
    /// Begins to connect by somebody's link; goes on by itself then.
    func join(link: String) async throws -> PendingItem

    /// Why QR codes can't be read on this machine, one sentence; nil when they can.
    func obstacleToScanning() async -> String?
    /// Opens the camera and looks for QR codes in what it sees until the stream is given up.
    func scan() async throws -> ScanItem
    /// The texts of the QR codes in a picture file.
    func codes(inPictureAt path: String) async throws -> [String]

    /// The person's contact address; nil when there is none.
    func contactAddress() async throws -> String?
    /// Makes the contact address, or gives the one there is.
    func makeContactAddress() async throws -> String
    /// Deletes the contact address. Contacts stay.
    func deleteContactAddress() async throws
    /// Takes somebody who asked as a contact.
    func accept(_ request: RequestItem) async throws
    /// Puts these labels on somebody who asks.
    func setLabels(_ labels: [ContactLabel], of request: RequestItem) async throws
    /// Forgets somebody who asked.
    func decline(_ request: RequestItem) async throws
}

/// What a link leads to.
package enum LinkKindItem: Sendable, Hashable {
    /// One person who waits for one other.
    case invitation
    /// Somebody whom anybody may ask.
    case address
}

/// What is seen of a link before it is opened.
package enum LinkSight: Sendable, Equatable {
    /// It is none that can be opened.
    case unreadable
    /// The person has made it.
    case own
    /// Somebody else has made it.
    case foreign(LinkItem)
}

/// Somebody's link, before it is opened.
package struct LinkItem: Sendable, Equatable {
    /// The link itself.
    package let link: String
    /// What it leads to.
    package let kind: LinkKindItem
    /// The relays that it leads to, at least one.
    package let relays: [String]
    /// Whether it leads to this machine only.
    var staysHere: Bool

    /// A link with what it says.
    package init(link: String, kind: LinkKindItem, relays: [String], staysHere: Bool = false) {
        (self.link, self.kind, self.relays, self.staysHere) = (link, kind, relays, staysHere)
    }
}

/// A link that waits for somebody to open it.
package struct InvitationItem: Sendable {
    /// The link itself.
    package let link: String
    /// Returns once somebody has opened the link.
    package let connected: @Sendable () async throws -> ContactItem
    /// Told when the person has copied the link.
    package var onCopy: @Sendable () -> Void

    /// A link with what comes of it.
    package init(
        link: String, connected: @escaping @Sendable () async throws -> ContactItem,
        onCopy: @escaping @Sendable () -> Void = {}
    ) {
        self.link = link
        self.connected = connected
        self.onCopy = onCopy
    }
}

/// A camera that looks for QR codes.
package struct ScanItem: Sendable {
    /// What happens.
    package enum News: Sendable {
        /// A code says this; again as long as it is seen.
        case found(String)
        /// A sentence for the person.
        case notice(String)
    }

    /// What the camera sees.
    package let picture: any VideoSource
    /// For one reader; the camera is closed once it reads no more.
    package let news: AsyncStream<News>

    package init(picture: any VideoSource, news: AsyncStream<News>) { (self.picture, self.news) = (picture, news) }
}

/// A contact that is being connected.
package struct PendingItem: Sendable {
    /// What was opened.
    package let kind: LinkKindItem
    /// Returns once the other side has connected.
    package let connected: @Sendable () async throws -> ContactItem

    /// A contact by a link of that kind.
    package init(kind: LinkKindItem, connected: @escaping @Sendable () async throws -> ContactItem) {
        self.kind = kind
        self.connected = connected
    }
}
