import MediaRules

/// What can go wrong with an account, each with one sentence a person can act on.
public enum AccountError: Error, Equatable, Sendable {
    /// The folder can't be made or written. (path)
    case folder(String)
    /// Another program uses the folder. (path)
    case inUse(String)
    /// The file with the store's key can't be read, written or has a wrong size. (path)
    case storeKey(String)
    /// The store can't be opened. (reason)
    case store(String)
    /// A relay address does not parse. (address)
    case relayAddress(String)
    /// No relay is configured.
    case noRelay
    /// The embedded relay does not start. (reason)
    case embeddedRelay(String)
    /// A link does not parse or its versions don't overlap with ours. (reason)
    case link(String)
    /// A relay could not be used. (reason)
    case relay(String)
    /// There is no contact of that name.
    case unknownContact(String)
    /// The contact's side has not finished connecting.
    case notConnected(String)
    /// The person has removed this side from their contacts.
    case contactGone(String)
    /// The person on the other side has turned calls off. (name)
    case callsNotAllowed(String)
    /// There is no such contact request, or it has an answer already.
    case unknownRequest
    /// Several people of this name ask to be connected.
    case severalRequests(String)
    /// The store's key is kept under a passphrase, and none was given.
    case passphraseNeeded
    /// The passphrase does not open the store's key.
    case wrongPassphrase
    /// The desktop's keyring holds the store's key, or should, and can't be used. (reason, a sentence)
    case keyring(String)
    /// A server for calls can't be used as it is written.
    case callServer(ICEServerError)
    /// There are more servers for calls than `CallServers.maximumCount`.
    case tooManyCallServers
    /// The connection was refused or given up. (reason)
    case connection(String)
    /// This machine can't make calls as it is. (reason, a sentence)
    case media(String)
    /// The account is closed.
    case closed
}

extension AccountError: CustomStringConvertible {
    /// The one sentence that a person reads.
    public var description: String {
        switch self {
        case .folder(let path): "The folder \(path) can't be used; check that it exists and that you may write to it."
        case .inUse(let path): "The profile \(path) is open in another program; close that one first."
        case .storeKey(let path): "The key file \(path) is damaged or can't be read; restore it from a backup."
        case .store(let reason): "The profile's store can't be opened: \(reason)"
        case .relayAddress(let text):
            "“\(text)” is not a relay address; it looks like smp://FINGERPRINT@HOST:PORT."
        case .noRelay: "No relay is known to this profile yet; name one with --relay smp://FINGERPRINT@HOST:PORT."
        case .embeddedRelay(let reason): "The embedded relay did not start: \(reason)"
        case .link(let reason): "This link can't be used: \(reason)"
        case .relay(let reason): "The relay can't be used right now: \(reason)"
        case .unknownContact(let name): "There is no contact called “\(name)”; see the list of contacts."
        case .notConnected(let name): "\(name) has not finished connecting; try again when they have been online."
        case .contactGone(let name):
            "\(name) has removed you from their contacts; connect again by a new link."
        case .callsNotAllowed(let name): "\(name) does not accept calls."
        case .unknownRequest: "There is no such contact request, or it was answered before."
        case .severalRequests(let name):
            "More than one person asks under the name “\(name)”; say the number in the list of requests."
        case .passphraseNeeded:
            "This profile is kept under a passphrase; type it, or name a file with --passphrase-file."
        case .wrongPassphrase: "The passphrase is wrong."
        case .keyring(let reason): "The profile's key is not within reach: \(reason)"
        case .callServer(let error): error.description
        case .tooManyCallServers:
            "There are too many servers for calls; \(CallServers.maximumCount) is the most that are used."
        case .connection(let reason): "The connection failed: \(reason)"
        case .media(let reason): reason
        case .closed: "The account is closed."
        }
    }
}
