import Agent
import Cryptography

extension AgentError: Worded {
    public var sentence: String {
        switch self {
        case .invalidLink: tr("This is not a connection link; copy the whole link and try again.")
        case .unsupportedLink: tr("This kind of link can't be joined yet; ask for a one-time invitation link.")
        case .shortLinksUnsupported: tr("This relay can't keep short links; use a full link or another relay.")
        case .incompatibleVersion: tr("The other side's app speaks an incompatible version; one of you has to update.")
        case .noRelay: tr("No relay is set up; choose one in the settings.")
        case .unknownConnection: tr("This contact no longer exists.")
        case .unknownRequest: tr("This contact request was already answered or its address was deleted.")
        case .notReady: tr("This contact is not connected yet.")
        case .messageTooLong(let limit): tr("The message is too long; at most %s bytes fit.", limit)
        case .relayUnreachable: tr("The relay can't be reached; check the network.")
        case .relayUnusable(let reason): reason.sentence
        case .peerGone: tr("The other side has deleted this contact, or the link was already used.")
        case .peerQueueFull: tr("The other side has not come online for too long; its mailbox is full.")
        case .relayRefused(let code): tr("The relay refused the request (%s).", code)
        case .noPrivateRoute:
            tr(
                "None of your relays forwards to the other side's relay; use one that does, or allow direct connections."
            )
        case .unexpectedMessage: tr("An unexpected message came in and was dropped.")
        case .undecryptable: tr("A message came in that could not be decrypted; it was dropped.")
        case .outdated: tr("This contact was not complete when the profile was copied; connect with a new link.")
        case .stopped: tr("The profile is closed.")
        case .store(let error): error.sentence
        }
    }
}

extension StoreError: Worded {
    public var sentence: String {
        switch self {
        case .wrongKey: tr("This profile is locked with another key.")
        case .newerSchema(let found, let supported):
            tr(
                "This profile was written by a newer Parley (format %1$s, this one reads up to %2$s); update Parley to open it.",
                found, supported)
        case .inUse: tr("This profile is already open in another Parley.")
        case .damaged(let place): tr("This profile is damaged (%s); restore it from a backup.", place)
        case .invalidKey: tr("The key of a profile must be 32 bytes long.")
        case .full: tr("There is no room left on the disk of this profile; make room there.")
        case .closed: tr("This profile has been closed.")
        case .unavailable(let reason): tr("This profile can't be opened or written: %s.", reason)
        }
    }
}

extension CryptographyError: Worded {
    public var sentence: String {
        switch self {
        case .invalidKey: tr("The key is not valid.")
        case .invalidLength: tr("A value has the wrong length.")
        case .authenticationFailed: tr("The sealed message was changed or made with another key.")
        case .invalidEncoding: tr("The text is not correctly encoded.")
        case .invalidCertificate: tr("The certificate cannot be read.")
        case .unavailable(let function): tr("The cryptographic library failed in %s.", function)
        }
    }
}
