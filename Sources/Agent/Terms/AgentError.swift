import SMPSession

/// Why the agent refused a request, or gave up on a connection or a message.
public enum AgentError: Error, Equatable, Sendable {
    /// The text is not a connection link.
    case invalidLink
    /// The link is of a kind that can't be joined (a contact address, a short link).
    case unsupportedLink
    /// The relay is too old to keep short links.
    case shortLinksUnsupported
    /// The link's versions and ours don't overlap.
    case incompatibleVersion
    /// No relay is configured on which a queue could be made.
    case noRelay
    /// There is no such connection.
    case unknownConnection
    /// There is no such contact request, or it was answered.
    case unknownRequest
    /// The connection is not yet ready for this, or not any more.
    case notReady
    /// The message is longer than one message may be, in bytes.
    case messageTooLong(limit: Int)
    /// A relay was not reached, or not in time.
    case relayUnreachable
    /// A relay was reached, or its address read, and can't be used, such as one that is too old.
    case relayUnusable(TransportError)
    /// The peer's queue is gone or switched off, or a link was used before.
    case peerGone
    /// The peer has not fetched its messages for too long.
    case peerQueueFull
    /// A relay refused; its error code.
    case relayRefused(String)
    /// No own relay forwards to the peer's relay, and the settings don't allow to dial it.
    case noPrivateRoute
    /// A message came in that nobody asked for or that has no place in this connection; it was dropped.
    case unexpectedMessage
    /// A message came in that could not be decrypted; it was dropped.
    case undecryptable
    /// The profile is a copy of an earlier state, and this connection can't go on from there.
    case outdated
    /// The agent was stopped.
    case stopped
    /// The store failed.
    case store(StoreError)
}

extension AgentError: CustomStringConvertible {
    /// One sentence a person can act on.
    public var description: String {
        switch self {
        case .invalidLink: "This is not a connection link; copy the whole link and try again."
        case .unsupportedLink: "This kind of link can't be joined yet; ask for a one-time invitation link."
        case .shortLinksUnsupported: "This relay can't keep short links; use a full link or another relay."
        case .incompatibleVersion: "The other side's app speaks an incompatible version; one of you has to update."
        case .noRelay: "No relay is set up; choose one in the settings."
        case .unknownConnection: "This contact no longer exists."
        case .unknownRequest: "This contact request was already answered or its address was deleted."
        case .notReady: "This contact is not connected yet."
        case .messageTooLong(let limit): "The message is too long; at most \(limit) bytes fit."
        case .relayUnreachable: "The relay can't be reached; check the network."
        case .relayUnusable(let reason): reason.description
        case .peerGone: "The other side has deleted this contact, or the link was already used."
        case .peerQueueFull: "The other side has not come online for too long; its mailbox is full."
        case .relayRefused(let code): "The relay refused the request (\(code))."
        case .noPrivateRoute:
            "None of your relays forwards to the other side's relay; use one that does, or allow direct connections."
        case .unexpectedMessage: "An unexpected message came in and was dropped."
        case .undecryptable: "A message came in that could not be decrypted; it was dropped."
        case .outdated: "This contact was not complete when the profile was copied; connect with a new link."
        case .stopped: "The profile is closed."
        case .store(let error): error.description
        }
    }
}

extension AgentError {
    /// The same failure as the delivery rules see it.
    init(_ failure: DeliveryFailure) {
        switch failure {
        case .unreachable, .postponed: self = .relayUnreachable
        case .full: self = .peerQueueFull
        case .refused: self = .peerGone
        case .unroutable: self = .noPrivateRoute
        case .rejected(let code): self = .relayRefused(code)
        }
    }
}
