/// Which credentials a command takes (SMP fact sheet §7, §8.1): one table for the relay that checks and the client that
/// signs.
public struct CommandCredentials: Hashable, Sendable {
    /// Whether a part of the transmission must, may or must not be there.
    public enum Rule: Hashable, Sendable {
        case required
        case optional
        case forbidden
    }

    /// What the entity id names.
    public enum Entity: Hashable, Sendable {
        case none
        case recipient
        case sender
        case link
        case notifier
        case service
        /// The session with the relay behind a proxy, named in PKEY.
        case proxySession
    }

    /// Whose key makes the authenticator.
    public enum Signer: Hashable, Sendable {
        case none
        /// The recipient's key stored with the queue.
        case recipient
        /// The sender's key stored with the queue, if it is secured.
        case sender
        /// The notifier's key stored with the queue.
        case notifier
        /// The key the command itself carries.
        case keyInCommand
        /// The session key of the service.
        case service
    }

    public let entity: Entity
    public let authenticator: Rule
    public let signer: Signer
}

extension CommandTag {
    /// The command's line of the table.
    public var credentials: CommandCredentials {
        switch self {
        case .new: .init(entity: .none, authenticator: .required, signer: .keyInCommand)
        case .subscribe, .get, .acknowledge, .setSenderKey, .setRecipientKeys, .setLinkData, .deleteLinkData,
            .setNotifier, .deleteNotifier, .suspend, .delete, .queueInfo:
            .init(entity: .recipient, authenticator: .required, signer: .recipient)
        case .secure: .init(entity: .sender, authenticator: .required, signer: .keyInCommand)
        case .send: .init(entity: .sender, authenticator: .optional, signer: .sender)
        case .secureAndGetLink: .init(entity: .link, authenticator: .required, signer: .keyInCommand)
        case .getLink: .init(entity: .link, authenticator: .forbidden, signer: .none)
        case .subscribeNotifier: .init(entity: .notifier, authenticator: .required, signer: .notifier)
        case .ping, .openProxySession, .forwardToRelay:
            .init(entity: .none, authenticator: .forbidden, signer: .none)
        case .forwardToProxy: .init(entity: .proxySession, authenticator: .forbidden, signer: .none)
        case .subscribeService, .subscribeNotifierService:
            .init(entity: .service, authenticator: .required, signer: .service)
        }
    }

    /// What a relay finds wrong with the credentials of a transmission, before it looks at any queue; nil if nothing.
    public func credentialError(hasAuthenticator: Bool, hasEntity: Bool) -> SMPError.CommandError? {
        let rules = credentials
        switch (rules.entity, rules.authenticator) {
        case (.none, .forbidden): return hasAuthenticator || hasEntity ? .hasAuthenticator : nil
        case (.none, .required), (.none, .optional):
            if !hasAuthenticator && rules.authenticator == .required { return .noAuthenticator }
            return hasEntity ? .hasAuthenticator : nil
        case (_, .required): return hasAuthenticator && hasEntity ? nil : .noAuthenticator
        case (_, .optional): return hasEntity ? nil : .noEntity
        case (_, .forbidden):
            if !hasEntity { return .noEntity }
            return hasAuthenticator ? .hasAuthenticator : nil
        }
    }
}

extension Transmission {
    /// What is wrong with the credentials for a command with this tag; nil if nothing.
    public func credentialError(for tag: CommandTag) -> SMPError.CommandError? {
        tag.credentialError(hasAuthenticator: !authenticator.isEmpty, hasEntity: !entityID.isEmpty)
    }
}

extension BrokerMessage {
    /// Whether a response of this kind names an entity (SMP fact sheet §7.3).
    public var entityRule: CommandCredentials.Rule {
        switch self {
        case .pong, .proxySession, .relayResponse: .forbidden
        case .queue, .error: .optional
        case .ok, .subscribed, .servicesSubscribed, .message, .link, .notifier, .notification, .queueInfo, .ended,
            .servicesEnded, .deleted, .proxyResponse:
            .required
        }
    }
}
