/// What the windows need of an account: the real one or, for work on the windows, a pretended one.
@MainActor protocol CallProvider: AnyObject {
    /// What happens, in order, for one listener.
    var updates: AsyncStream<ProviderUpdate> { get }

    /// Opens the account; progress and result come as updates.
    func start() async
    /// Makes a link for one person.
    func makeInvitation() async throws -> InvitationItem
    /// Opens somebody's link; gives the contact once both sides are connected.
    func connect(link: String) async throws -> ContactItem
    /// Calls a contact.
    func call(_ contact: ContactItem, kind: CallKind) async throws -> any CallSession
    /// Ends everything before the program ends.
    func close() async
}

/// Something the windows should show.
enum ProviderUpdate {
    /// The account is being opened; the sentence says what is done now.
    case starting(String)
    /// The account is open.
    case ready
    /// The account can't be opened, for this reason.
    case failed(String)
    /// The contacts, all of them.
    case contacts([ContactItem])
    /// Somebody calls.
    case incoming(any CallSession)
    /// A line about the relay, or nil when all is well.
    case relay(String?)
    /// A sentence for the person.
    case notice(String)
}

/// A link that waits for somebody to open it.
struct InvitationItem: Sendable {
    /// The link itself.
    let link: String
    /// Returns once somebody has opened the link.
    let connected: @Sendable () async throws -> ContactItem
}

/// A reason that can be shown as it is.
struct ProviderError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence that a person can act on.
    let description: String
}
