import Agent
import BaseKit
import Calling
import MediaRules
import Parley

/// What helps about something that went wrong, where that is inside the program: a button beside the sentence.
package enum Remedy: Sendable, Hashable {
    /// To do the same once more.
    case tryAgain
    /// To look how people reach the person: relays and addresses.
    case reach
    /// To change a device, a server or another choice.
    case preferences
    /// To connect with somebody anew.
    case addContact
    /// To let a contact call and be called again.
    case unblock(ContactItem.ID)
    /// To write to a contact who can't be called.
    case write(ContactItem.ID)
    /// To compare the security code with a contact.
    case compare(ContactItem.ID)
    /// To call a contact whose call was cut off, did not come about or was missed.
    case call(ContactItem.ID, CallKind)
}

extension Remedy {
    /// What helps about an error; nil where nothing inside the program does.
    /// - Parameter contact: Whom it is about, where it is about somebody.
    package init?(_ error: any Error, about contact: ContactItem.ID? = nil) {
        let found: Remedy? =
            switch error {
            case let error as AccountError: Self.remedy(error, contact)
            case let error as AgentError: Self.remedy(error)
            case let error as MediaError: Self.remedy(error)
            case let cause as Cause: Remedy(cause.error, about: contact)
            case is StoreError: .tryAgain
            default: nil
            }
        guard let found else { return nil }
        self = found
    }

    private static func remedy(_ error: AccountError, _ contact: ContactItem.ID?) -> Remedy? {
        switch error {
        case .relay(let cause): Remedy(cause, about: contact) ?? .tryAgain
        case .link(let error): remedy(error)
        case .connection(let fault): remedy(fault)
        case .media(let error): remedy(error)
        case .noRelay, .relayAddress, .embeddedRelay, .embeddedRelayPort: .reach
        case .callServer, .tooManyCallServers: .preferences
        case .contactGone: .addContact
        case .contactBlocked: contact.map(Remedy.unblock)
        case .callsNotAllowed: contact.map(Remedy.write)
        case .codeChanged: contact.map(Remedy.compare)
        case .call(let error): remedy(error, contact)
        case .folder, .inUse, .storeKey, .store, .blockNotKept, .passphraseNeeded, .wrongPassphrase, .keyring, .network:
            .tryAgain
        // The sentence says what to write or wait for, or it is too late.
        case .unknownContact, .notConnected, .nameUnusable, .nameTaken, .textTooLong, .tooManyLabels, .picture,
            .invitationOpened, .unknownRequest, .severalRequests, .emptyMessage, .messageTooLong, .moving, .group,
            .closed:
            nil
        }
    }

    private static func remedy(_ error: AgentError) -> Remedy? {
        switch error {
        case .relayUnreachable, .store: .tryAgain
        case .noRelay, .relayUnusable, .shortLinksUnsupported, .noPrivateRoute: .reach
        case .peerGone, .outdated: .addContact
        case .invalidLink, .unsupportedLink, .incompatibleVersion, .unknownConnection, .unknownRequest, .notReady,
            .messageTooLong, .peerQueueFull, .relayRefused, .unexpectedMessage, .undecryptable, .stopped:
            nil
        }
    }

    private static func remedy(_ fault: ConnectionFault) -> Remedy? {
        switch fault {
        case .agent(let error): remedy(error)
        case .nothingToRetry: .addContact
        case .kept, .unknown, .notMovable, .nothingToRepair: nil
        }
    }

    private static func remedy(_ error: MediaError) -> Remedy? {
        switch error {
        case .device, .relay, .soundFile: .preferences
        case .startFailed, .pipeline, .negotiation, .unreachable: .tryAgain
        case .description, .missingElements, .missingElement, .closed: nil
        }
    }

    private static func remedy(_ error: CallError, _ contact: ContactItem.ID?) -> Remedy? {
        switch error {
        case .blocked: contact.map(Remedy.unblock)
        case .notPermitted: contact.map(Remedy.write)
        case .busy, .noSuchCall, .over: nil
        }
    }
}
