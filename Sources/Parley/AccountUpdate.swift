import Agent
import BaseKit
import Calling
import Signaling

/// What an account tells a window or a program.
public enum AccountUpdate: Sendable {
    /// The contacts as they are now.
    case contacts([Contact])
    /// Somebody calls.
    case incoming(Call)
    /// Somebody invites to a call of several, which rings.
    case incomingGroup(GroupCall)
    /// Whether calls of several are made and taken here.
    case takesGroupCalls(Bool)
    /// The call of several that the person was in last, if others go on with it, so that they can come back; nil: none.
    case groupCallGoesOn(CallID?)
    /// Somebody called, and nobody here took it. Told once for each call, if nobody listens to whoever does first.
    case missed(MissedCall)
    /// Somebody called and it did not ring here, for this reason: it came too late or during another call, they may not call, or
    /// the call would not be encrypted as it has to be.
    case refused(Call, CallEndReason)
    /// A contact has written a message, which is kept.
    case written(TextMessage, Contact)
    /// How many messages of each contact nobody has read, as it is now.
    case unread([ContactID: Int])
    /// The connection to a relay came up or went down. At the start every own relay is told as not connected.
    case relay(RelayStatus)
    /// Those who ask at the contact address to be connected, as they are now.
    case requests([IncomingRequest])
    /// Both sides of a connection can't read each other any more, repair it, or can again. After a repair the security
    /// code is another one.
    case encryption(ContactID, EncryptionState)
    /// Messages of a contact were lost, repeated or altered on their way.
    case integrity(ContactID, IntegrityProblem)
    /// The own mailbox for a contact moves to another relay, or has moved.
    case moving(ContactID, Bool)
    /// The contact's device has received the invitation to this call.
    case delivered(ContactID, CallID)
    /// Where the key of the profile's store is kept.
    case storeKey(StoreKeyStatus)
    /// Why nothing can be stored; nil when it is over. Nothing is lost meanwhile, and everything goes on by itself.
    case storage(StoreError?)
    /// Whether the machine has a network, when that changes, and at the beginning where it has none. Everything goes on by itself.
    case network(Bool)
    /// The settings of the profile could not be read; they begin anew.
    case settings(SettingsLoss)
    /// A contact will never be connected, for this reason.
    case failed(ContactID, ConnectionFault)
    /// Something else that the person is to know.
    case notice(AccountNotice)
}

/// What a person is to know of their account.
public enum AccountNotice: Sendable, Equatable {
    /// A contact has removed this side. (their name)
    case removed(String)
    /// A contact calls themselves something else now. (their name here, the new one)
    case renamed(String, String)
    /// The security code that was compared with a contact holds no longer: their keys, or those here, are new. (their name)
    case codeChanged(String)
    /// Messages to a relay leave on another way than wished, or a relay was not believed. (the relay's host)
    case routing(RoutingNotice, host: String)
    /// A call was going on when the program ended unexpectedly. (the contact's name)
    case callCutOff(String)
    /// A contact writes more messages than are kept. (their name)
    case messagesNotKept(String)
    /// The host of a call of several has taken in nobody whom the person here wants to invite. (the contact's name)
    case notInvited(String)
    /// The test call can't be offered.
    case testCallUnavailable(Cause)
}

/// Hands updates to every listener; a new one first hears what holds now: where the key is, what is wrong with store and
/// settings, contacts, relays, requests, calls that ring; and the first also of the calls that came to nobody before it.
final class AccountUpdates: Sendable {
    private struct State {
        var contacts: [Contact] = []
        var relays: [String: RelayStatus] = [:]
        var requests: [IncomingRequest] = []
        var unread: [ContactID: Int] = [:]
        var storeKey: StoreKeyStatus?
        var storage: StoreError?
        var settings: SettingsLoss?
        var hasNetwork = true
        var ringing: [Call] = []
        var ringingGroup: GroupCall?
        var takesGroups = false
        var groupGoesOn: CallID?
        /// What was told of calls while nobody listened who tells it to a person.
        var untold: [AccountUpdate] = []
    }

    /// More calls than anybody reads of; the oldest are not told.
    static let untoldLimit = 50

    private let state = Lock(State())
    /// Those who tell a person, and the others.
    private let (people, programs) = (Broadcaster<AccountUpdate>(), Broadcaster<AccountUpdate>())

    func send(_ update: AccountUpdate) {
        state.withLock { state in
            if case .network(let isThere) = update, isThere == state.hasNetwork { return }
            if case .groupCallGoesOn(let goesOn) = update, goesOn == state.groupGoesOn { return }
            switch update {
            case .contacts(let contacts): state.contacts = contacts
            case .relay(let status): state.relays[status.address] = status
            case .requests(let requests): state.requests = requests
            case .unread(let counts): state.unread = counts
            case .storeKey(let status): state.storeKey = status
            case .storage(let error): state.storage = error
            case .settings(let loss): state.settings = loss
            case .network(let isThere): state.hasNetwork = isThere
            case .incoming(let call): state.ringing.append(call)
            case .incomingGroup(let call): state.ringingGroup = call
            case .takesGroupCalls(let isOn): state.takesGroups = isOn
            case .groupCallGoesOn(let goesOn): state.groupGoesOn = goesOn
            case .missed, .refused, .notice(.callCutOff):
                guard !people.isHeard else { break }
                state.untold = state.untold.suffix(Self.untoldLimit - 1) + [update]
            case .written, .encryption, .integrity, .moving, .delivered, .failed, .notice: break
            }
            people.send(update)
            programs.send(update)
        }
    }

    /// A call is over or taken; later listeners need not hear of it.
    func forget(_ call: Call) {
        state.withLock { $0.ringing.removeAll { $0 === call } }
    }

    /// The same of a call of several.
    func forget(_ call: GroupCall) {
        state.withLock { if $0.ringingGroup === call { $0.ringingGroup = nil } }
    }

    func finish() {
        people.finish()
        programs.finish()
    }

    /// - Parameter isForPerson: Whether a person hears of what comes; otherwise calls that nobody was told of wait on.
    func stream(isForPerson: Bool = true) -> AsyncStream<AccountUpdate> {
        state.withLock { state in
            var standing: [AccountUpdate] = []
            if let status = state.storeKey { standing.append(.storeKey(status)) }
            if let error = state.storage { standing.append(.storage(error)) }
            if let loss = state.settings { standing.append(.settings(loss)) }
            if !state.hasNetwork { standing.append(.network(false)) }
            standing.append(.contacts(state.contacts))
            standing += state.relays.values.map { .relay($0) }
            if !state.requests.isEmpty { standing.append(.requests(state.requests)) }
            if !state.unread.isEmpty { standing.append(.unread(state.unread)) }
            standing += state.ringing.map { .incoming($0) }
            if state.takesGroups { standing.append(.takesGroupCalls(true)) }
            if let call = state.groupGoesOn { standing.append(.groupCallGoesOn(call)) }
            if let call = state.ringingGroup { standing.append(.incomingGroup(call)) }
            guard isForPerson else { return programs.stream(beginning: standing) }
            defer { state.untold = [] }
            return people.stream(beginning: standing + state.untold)
        }
    }
}
