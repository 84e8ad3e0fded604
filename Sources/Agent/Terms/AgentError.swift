import SMPSession

/// Why the agent refused a request, or gave up on a connection or a message.
public enum AgentError: Error, Hashable, Codable, Sendable {
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
