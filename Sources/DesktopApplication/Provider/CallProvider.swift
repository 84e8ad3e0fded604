/// What the windows need of an account: the real one or, for work on the windows, a pretended one.
@MainActor
package protocol CallProvider: LinkProvider, ContactProvider, RelayProvider, KeyProvider, CallServerProvider,
    DeviceProvider, RingProvider, CallLogProvider
{
    /// What happens, in order, for one listener.
    var updates: AsyncStream<ProviderUpdate> { get }

    /// Opens the account; progress and result come as updates.
    func start() async
    /// Looks for what calls are made of; gives a sentence that says what is missing, and nil when calls are possible.
    func obstacleToCalls() async -> String?
    /// Calls a contact; `room` says what becomes of the call that the person is in. Without it, they must be in none.
    func call(_ contact: ContactItem, kind: CallKind, makingRoom room: MakingRoom?) async throws -> any CallSession
    /// Says whether the person takes no calls: who calls is told at once that they are busy.
    func setBusy(_ isBusy: Bool) async
    /// Waits until what calls have said, such as their end, is on its way: some seconds at most.
    func flush() async
    /// Ends everything before the program ends.
    func close() async
}

/// Something the windows should show.
package enum ProviderUpdate {
    /// The account is being opened; the sentence says what is done now.
    case starting(String)
    /// The account is open.
    case ready
    /// The account can't be opened, for this reason.
    case failed(String)
    /// The contacts, all of them.
    case contacts([ContactItem])
    /// Those who ask to become contacts, all of them.
    case requests([RequestItem])
    /// Somebody calls.
    case incoming(any CallSession)
    /// Somebody called, and nobody here took it.
    case missed(MissedCallItem)
    /// What a person is to know of the time before the start, such as a call that ended with the program.
    case lost(String)
    /// The relays in use, all of them.
    case relays([RelayItem])
    /// Where the profile's key is kept.
    case key(KeyPlace)
    /// Why nothing can be stored, as long as that is so; nil when it is over.
    case trouble(String?)
    /// A sentence for the person.
    case notice(String)
}

/// A reason that can be shown as it is.
package struct ProviderError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence that a person can act on.
    package let description: String

    /// A reason in these words.
    package init(description: String) { self.description = description }
}
