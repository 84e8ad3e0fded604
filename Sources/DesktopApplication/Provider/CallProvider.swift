import Signaling

/// What the windows need of an account: the real one or, for work on the windows, a pretended one.
@MainActor
package protocol CallProvider: LinkProvider, ContactProvider, RelayProvider, KeyProvider, CallServerProvider,
    DeviceProvider, RingProvider, CallLogProvider, ReachProvider, ProfileProvider, MessageProvider, WelcomeProvider,
    MovingProvider, ProfileSharing, BusyTaking, GroupCallProvider, GroupServerProvider
{
    /// What happens, in order, for one listener.
    var updates: AsyncStream<ProviderUpdate> { get }

    /// Opens the account; progress and result come as updates. `mayAsk` says whether the keyring may ask to be unlocked for it. Does
    /// nothing when it is open.
    func start(mayAsk: Bool) async
    /// Waits until the keyring can be read without a question. Throws when that is not what keeps the account from opening.
    func waitForKeyring() async throws
    /// Looks for what calls are made of; gives a sentence that says what is missing, and nil when calls are possible.
    func obstacleToCalls() async -> String?
    /// Calls a contact; `room` says what becomes of the call that the person is in. Without it, they must be in none.
    func call(_ contact: ContactItem, kind: CallKind, makingRoom room: MakingRoom?) async throws -> any CallSession
    /// Waits until what calls have said, such as their end, is on its way: some seconds at most.
    func flush() async
    /// Ends everything before the program ends.
    func close() async
}

/// Whether calls are taken.
@MainActor package protocol BusyTaking: AnyObject {
    /// Says whether the person takes no calls for now: who calls is told at once that they are busy.
    func setBusy(_ isBusy: Bool) async
    /// Whether the person takes no calls until they say otherwise; nil when they never said, or the account is not open.
    var isBusyByChoice: Bool? { get async }
    /// Remembers whether the person takes no calls; nothing happens before the account is open.
    func setBusyByChoice(_ isBusy: Bool) async
}

/// Something the windows should show.
package enum ProviderUpdate {
    /// The account is being opened; the sentence says what is done now.
    case starting(String)
    /// The account is open.
    case ready
    /// The account can't be opened, for this reason.
    case failed(String)
    /// The profile was carried into this file and opens here no more; empty: nobody knows which.
    case moved(file: String)
    /// The account can't be opened before the keyring is, as this sentence says.
    case locked(String)
    /// The name by which contacts see the person.
    case name(String)
    /// The contacts, all of them.
    case contacts([ContactItem])
    /// Those who ask to become contacts, all of them.
    case requests([RequestItem])
    /// Somebody calls.
    case incoming(any CallSession)
    /// Whether calls of several are made and taken, and of how many people those may be that begin here.
    case takesGroupCalls(Bool, most: Int)
    /// Whether others go on with the call of several that the person was in last.
    case groupCallGoesOn(CallID?)
    /// Somebody called, and nobody here took it.
    case missed(MissedCallItem)
    /// A contact has written a message.
    case written(WrittenItem)
    /// What a person is to know of the time before the start, such as a call that ended with the program.
    case lost(String)
    /// The relays in use, all of them.
    case relays([RelayItem])
    /// Where the profile's key is kept.
    case key(KeyItem)
    /// Why nothing can be stored, as long as that is so; nil when it is over.
    case trouble(String?)
    /// Whether the machine has a network; what is not said holds.
    case network(isThere: Bool)
    /// A sentence for the person, with what helps where it is about something that went wrong.
    case notice(String, Remedy? = nil)
}
