import Signaling

/// What an account has told so far, for a window that opens later.
struct AccountOverview {
    /// How far the account has come.
    enum Opening: Equatable {
        /// There is no profile before the person begins one.
        case new
        /// The sentence says what is done now.
        case begun(String)
        case done
        /// It can't be opened, for this reason.
        case failed(String)
        /// It was carried into this file, and opens here no more.
        case moved(String)
        /// It can't be opened before the keyring is.
        case locked(String)

        /// Whether it can't be opened.
        var isFailure: Bool {
            switch self {
            case .new, .begun, .done, .moved: false
            case .failed, .locked: true
            }
        }
    }

    /// How far the account has come.
    private(set) var opening: Opening
    /// The name by which contacts see the person; empty until it is known.
    private(set) var name = ""
    /// All contacts.
    private(set) var contacts: [ContactItem] = []
    /// All who ask to become contacts.
    private(set) var requests: [RequestItem] = []
    /// The relays in use.
    private(set) var relays: [RelayItem] = []
    /// Where the profile's key is kept, once that is known.
    private(set) var key: KeyItem?
    /// Why nothing can be stored now.
    private(set) var trouble: String?
    /// Whether calls of several are made and taken.
    private(set) var takesGroupCalls = false
    /// The most people in one that begins here.
    private(set) var mostInGroupCall = GroupPresentation.capacity
    /// Whether others go on with the call of several that the person was in last.
    private(set) var groupCallGoesOn: CallID?
    /// Whether the machine has a network.
    private(set) var hasNetwork = true

    /// Nothing is known yet; the sentence says what is done now.
    init(beginning sentence: String) { opening = .begun(sentence) }

    /// There is nothing to know.
    static var new: AccountOverview {
        var overview = AccountOverview(beginning: "")
        overview.opening = .new
        return overview
    }

    /// Takes in what the account tells; calls and passing sentences are not kept.
    mutating func receive(_ update: ProviderUpdate) {
        switch update {
        case .starting(let sentence): opening = .begun(sentence)
        case .ready: opening = .done
        case .failed(let sentence): opening = .failed(sentence)
        case .locked(let sentence): opening = .locked(sentence)
        case .moved(let file): opening = .moved(file)
        case .name(let name): self.name = name
        case .contacts(let contacts): self.contacts = contacts
        case .requests(let requests): self.requests = requests
        case .relays(let relays): self.relays = relays
        case .key(let item): key = item
        case .trouble(let sentence): trouble = sentence
        case .takesGroupCalls(let isOn, let most): (takesGroupCalls, mostInGroupCall) = (isOn, most)
        case .groupCallGoesOn(let call): groupCallGoesOn = call
        case .network(let isThere): hasNetwork = isThere
        case .incoming, .missed, .written, .lost, .notice: break
        }
    }
}
