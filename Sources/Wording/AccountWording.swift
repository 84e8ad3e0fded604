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
        case .notConnected(let name):
            tr("%s has not finished connecting; try again when they have been online.", Contact.shown(name))
        case .contactGone(let name):
            tr("%s has removed you from their contacts; connect again by a new link.", Contact.shown(name))
        case .callsNotAllowed(let name): tr("%s does not accept calls.", Contact.shown(name))
        case .contactBlocked(let name): tr("%s is blocked. Unblock them to call or write.", Contact.shown(name))
        case .emptyMessage: tr("There is nothing to send; write something first.")
        case .messageTooLong(let excess):
            tr(
                "The message is too long by %s byte; shorten it.",
                plural: "The message is too long by %s bytes; shorten it.", count: excess, excess)
        case .blockNotKept(let fault):
            tr("That holds until Parley ends, but could not be written into the profile: %s", fault.sentence)
        case .nameUnusable: tr("This is no name that can be shown; use letters, digits or emoji.")
        case .nameTaken(let name): tr("There is a contact called “%s” already, or one whose name looks like it.", name)
        case .textTooLong(let limit): tr("This text is too long; %s characters are the most.", limit)
        case .tooManyLabels(let limit): tr("These are too many labels; %s are the most.", limit)
        case .codeChanged: tr("The security code has changed meanwhile; compare the new one.")
        case .picture(let error): error.sentence
        case .invitationOpened:
            tr(
                "There is no open link for them: somebody has opened it. To break off the connection, remove the contact."
            )
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
        case .group(let fault): fault.sentence
        case .moving(let fault): fault.sentence
        case .network(let error): error.sentence
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
        case .moved(let file):
            file.isEmpty
                ? tr("It was moved to another computer and can't be opened here any more.")
                : tr("It was moved into the file %s and can't be opened here any more; import that file.", file)
        case .contactsDamaged: tr("The list of contacts is damaged.")
        case .contactsNotKept: tr("The list of contacts can't be written.")
        case .profileNotKept: tr("Your profile can't be written.")
        case .serversDamaged: tr("The list of servers for calls is damaged.")
        case .serversNotKept: tr("The list of servers for calls can't be written.")
        case .groupServerDamaged: tr("The setting of the call server is damaged.")
        case .groupServerNotKept: tr("The setting of the call server can't be written.")
        case .newerKeyRecord: tr("It was written by a newer Parley; update Parley to open it.")
        case .keyRecordDamaged(let file): tr("The file %s is damaged; restore it from a backup.", file)
        case .keyNotSealed(let cause): tr("The key can't be sealed: %s", cause.sentence)
        case .other(let cause): cause.sentence
        }
    }
}

extension MovingFault: Worded {
    public var sentence: String {
        switch self {
        case .noProfile(let path): tr("There is no profile in %s.", path)
        case .fileExists(let path): tr("There is a file %s already; choose another name.", path)
        case .notWritten(let path):
            tr("The file %s can't be written; check that there is room and that you may write there.", path)
        case .notRead(let path): tr("The file %s can't be read.", path)
        case .noRoom(let bytes): tr("There is not enough room; the profile needs %s MB.", bytes / 1_000_000 + 1)
        case .notAProfile: tr("This file is no Parley profile.")
        case .newer: tr("The file was written by a newer Parley; update Parley to read it.")
        case .damaged: tr("The file is damaged or incomplete; copy it again from where it was made.")
        case .folderInUse(let path): tr("There is something in %s already; choose an empty folder.", path)
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
