import Agent
import BaseKit
import Calling
import Keyring
import LocalNetwork
import MediaRules
import Pictures
import Relay

/// What can go wrong with an account.
public enum AccountError: Error, Equatable, Sendable {
    /// The folder can't be made or written. (path)
    case folder(String)
    /// Another program uses the folder. (path)
    case inUse(String)
    /// The file with the store's key can't be read, written or has a wrong size. (path)
    case storeKey(String)
    /// The store, or what lies beside it, can't be opened or used.
    case store(StoreFault)
    /// A relay address does not parse. (address)
    case relayAddress(String)
    /// No relay is configured.
    case noRelay
    /// The embedded relay does not start.
    case embeddedRelay(RelayStartError)
    /// The embedded relay is to listen on what is no port.
    case embeddedRelayPort(Int)
    /// A link does not parse or its versions don't overlap with ours.
    case link(AgentError)
    /// A relay could not be used.
    case relay(Cause)
    /// There is no contact of that name.
    case unknownContact(String)
    /// The contact's side has not finished connecting.
    case notConnected(String)
    /// The person has removed this side from their contacts.
    case contactGone(String)
    /// The person on the other side has turned calls off. (name)
    case callsNotAllowed(String)
    /// The contact is blocked here, and so is not called. (name)
    case contactBlocked(String)
    /// A contact is blocked, or not any more, but only as long as the program runs: that could not be stored.
    case blockNotKept(StoreFault)
    /// Nothing of the name is left that can be shown.
    case nameUnusable
    /// Another contact has this name, or one that looks like it. (name)
    case nameTaken(String)
    /// A text is longer than may be kept. (the most characters)
    case textTooLong(Int)
    /// There are more labels on a contact than may be kept. (the most)
    case tooManyLabels(Int)
    /// The security code is another one than was compared.
    case codeChanged
    /// A file can't become the own picture.
    case picture(PictureFileError)
    /// Somebody has opened the link that was to be withdrawn, or it was none.
    case invitationOpened
    /// There is no such contact request, or it has an answer already.
    case unknownRequest
    /// Several people of this name ask to be connected.
    case severalRequests(String)
    /// The store's key is kept under a passphrase, and none was given.
    case passphraseNeeded
    /// The passphrase does not open the store's key.
    case wrongPassphrase
    /// The desktop's keyring holds the store's key, or should, and can't be used.
    case keyring(KeyringFault)
    /// A server for calls can't be used as it is written.
    case callServer(ICEServerError)
    /// There are more servers for calls than `CallServers.maximumCount`.
    case tooManyCallServers
    /// A connection with a contact was refused or given up, or can't be changed now.
    case connection(ConnectionFault)
    /// This machine can't make calls as it is.
    case media(MediaError)
    /// A message has no text.
    case emptyMessage
    /// A text does not fit into one message. (by how many bytes)
    case messageTooLong(by: Int)
    /// What is asked for can't be done to this call, or to calls with this contact.
    case call(CallError)
    /// A call of several can't be made.
    case group(GroupCallFault)
    /// The profile can't be carried elsewhere, or the file with one can't be taken up.
    case moving(MovingFault)
    /// Nothing can be announced or found in this network.
    case network(DiscoveryError)
    /// The account is closed.
    case closed
}

/// What is wrong with a profile's store, or with what lies beside it.
public enum StoreFault: Error, Equatable, Sendable {
    /// The agent can't open or use it.
    case agent(StoreError)
    /// The file is missing or empty beside the profile's other files. (its name)
    case missing(String)
    /// The profile was carried elsewhere, into this file, and does not open here any more. (path; empty where that is not known)
    case moved(String)
    /// The list of contacts in it can't be read.
    case contactsDamaged
    /// The list of contacts can't be put into it.
    case contactsNotKept
    /// The own profile can't be put into it.
    case profileNotKept
    /// The list of servers for calls in it can't be read.
    case serversDamaged
    /// The list of servers for calls can't be put into it.
    case serversNotKept
    /// The call server for calls of several in it can't be read.
    case groupServerDamaged
    /// The call server for calls of several can't be put into it.
    case groupServerNotKept
    /// The record of its key was written by a newer Parley.
    case newerKeyRecord
    /// The record of its key is damaged. (the file's name)
    case keyRecordDamaged(String)
    /// Its key can't be sealed.
    case keyNotSealed(Cause)
    /// Something else.
    case other(Cause)
}

extension AccountError {
    /// Whether nothing is wrong but that the keyring is locked, or not there yet.
    public var isOfClosedKeyring: Bool {
        guard case .keyring(.service(let error)) = self else { return false }
        return switch error {
        case .locked, .missing, .silent: true
        case .refused, .noMemory, .lost: false
        }
    }
}

/// Why the keyring does not give a profile's key.
public enum KeyringFault: Error, Equatable, Sendable {
    /// It can't be used.
    case service(KeyringError)
    /// It can't be used, for a reason that is none of its own.
    case other(Cause)
    /// It does not hold the key any more.
    case lacksKey
    /// A key that has a place is to be kept nowhere.
    case placeNeeded
}

/// Why a connection with a contact did not come about or can't be changed.
public enum ConnectionFault: Error, Hashable, Sendable {
    /// The agent gave it up, or refuses.
    case agent(AgentError)
    /// An earlier Parley kept this reason, in its words.
    case kept(String)
    /// A later Parley kept the reason; this one does not know it.
    case unknown
    /// It has not failed, or was begun by a link that was made here.
    case nothingToRetry
    /// It is not made yet, or moves already.
    case notMovable
    /// It is sound, or under repair.
    case nothingToRepair
}

extension StoreFault {
    /// What went wrong while the store was opened or read.
    init(_ error: any Error) { self = (error as? StoreError).map(Self.agent) ?? .other(Cause(error)) }
}
