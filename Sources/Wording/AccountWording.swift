import Agent
import Parley

extension AccountError: Worded {
    public var sentence: String {
        switch self {
        case .folder(let path):
            tr("The folder %s can't be used; check that it exists and that you may write to it.", path)
        case .inUse(let path): tr("The profile %s is open in another program; close that one first.", path)
        case .storeKey(let path): tr("The key file %s is damaged or can't be read; restore it from a backup.", path)
        case .store(let fault): tr("The profile's store can't be opened: %s", fault.sentence)
        case .relayAddress(let text):
            tr("“%s” is not a relay address; it looks like smp://FINGERPRINT@HOST:PORT.", text)
        case .noRelay: tr("No relay is known to this profile yet; name one with --relay smp://FINGERPRINT@HOST:PORT.")
        case .embeddedRelay(let error): tr("The embedded relay did not start: %s", error.sentence)
        case .embeddedRelayPort(let port): tr("The embedded relay did not start: %s is no port; use 0 to 65535.", port)
        case .link(let error): tr("This link can't be used: %s", error.sentence)
        case .relay(let cause): tr("The relay can't be used right now: %s", cause.sentence)
        case .unknownContact(let name): tr("There is no contact called “%s”; see the list of contacts.", name)
        case .notConnected(let name): tr("%s has not finished connecting; try again when they have been online.", name)
        case .contactGone(let name):
            tr("%s has removed you from their contacts; connect again by a new link.", name)
        case .callsNotAllowed(let name): tr("%s does not accept calls.", name)
        case .contactBlocked(let name): tr("%s is blocked. Unblock them to call.", name)
        case .blockNotKept(let fault):
            tr("That holds until Parley ends, but could not be written into the profile: %s", fault.sentence)
        case .unknownRequest: tr("There is no such contact request, or it was answered before.")
        case .severalRequests(let name):
            tr("More than one person asks under the name “%s”; say the number in the list of requests.", name)
        case .passphraseNeeded:
            tr("This profile is kept under a passphrase; type it, or name a file with --passphrase-file.")
        case .wrongPassphrase: tr("The passphrase is wrong.")
        case .keyring(let fault): tr("The profile's key is not within reach: %s", fault.sentence)
        case .callServer(let error): error.sentence
        case .tooManyCallServers:
            tr("There are too many servers for calls; %s is the most that are used.", CallServers.maximumCount)
        case .connection(let fault): tr("The connection failed: %s", fault.sentence)
        case .media(let error): error.sentence
        case .call(let error): error.sentence
        case .closed: tr("The account is closed.")
        }
    }
}

extension StoreFault: Worded {
    public var sentence: String {
        switch self {
        case .agent(let error): error.sentence
        case .missing(let file):
            tr(
                """
                The file %s is missing or empty beside the profile's other files; restore it from a backup, or remove the \
                folder to begin anew.
                """, file)
        case .contactsDamaged: tr("The list of contacts is damaged.")
        case .contactsNotKept: tr("The list of contacts can't be written.")
        case .serversDamaged: tr("The list of servers for calls is damaged.")
        case .serversNotKept: tr("The list of servers for calls can't be written.")
        case .newerKeyRecord: tr("It was written by a newer Parley; update Parley to open it.")
        case .keyRecordDamaged(let file): tr("The file %s is damaged; restore it from a backup.", file)
        case .keyNotSealed(let cause): tr("The key can't be sealed: %s", cause.sentence)
        case .other(let cause): cause.sentence
        }
    }
}

extension KeyringFault: Worded {
    public var sentence: String {
        switch self {
        case .service(let error): error.sentence
        case .other(let cause): cause.sentence
        case .lacksKey: tr("The keyring does not hold the key of this profile any more; restore the keyring.")
        case .placeNeeded: tr("The key of a profile has to be kept somewhere.")
        }
    }
}

extension ConnectionFault: Worded {
    public var sentence: String {
        switch self {
        case .agent(let error): error.sentence
        case .kept(let words): words
        case .unknown: tr("A newer version of Parley could not connect; update Parley to see why.")
        case .nothingToRetry: tr("There is nothing to try again; use a new link.")
        case .notMovable: tr("The contact is not connected yet, or its mailbox is moving already.")
        case .nothingToRepair: tr("Nothing is wrong with the encryption, or it is being repaired already.")
        }
    }
}
