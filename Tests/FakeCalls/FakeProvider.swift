import Calling
import DesktopApplication
import Glibc
import Parley

/// Pretended contacts and calls, for work on the windows and for their tests. Each contact behaves as its name says.
@MainActor final class FakeProvider: CallProvider {
    let updates: AsyncStream<ProviderUpdate>
    var profileLabel: ProfileLabel?
    var onDevices: (@MainActor () -> Void)?
    var makeRoom: (@MainActor (MakingRoom?) async -> Bool)?
    /// What was said of calls of other profiles.
    private(set) var callsElsewhere = CallsElsewhere()
    var askForPassphrase: (@MainActor (PassphraseQuestion) async -> String?)?
    let channel: AsyncStream<ProviderUpdate>.Continuation
    let pause: Duration
    var contacts: [ContactItem] = [] {
        didSet { channel.yield(.contacts(contacts)) }
    }
    var requests: [RequestItem] = [] {
        didSet { channel.yield(.requests(requests)) }
    }
    var relays: [RelayItem] = [] {
        didSet { channel.yield(.relays(relays)) }
    }
    var address: String?
    var servers = CallServersItem()
    var groupServerItem: GroupServerItem?
    /// The most people in a call of several, as an account has it.
    /// More than four with a call server, which `FAKE_CALLS_GROUPS=8` stands for, too.
    var mostInGroupCall: Int {
        groupServerItem == nil && getenv("FAKE_CALLS_GROUPS").map { String(cString: $0) } != "8" ? 4 : 8
    }
    /// Called when a test of a call server has ended, or was cancelled.
    var onServerTestEnd: @MainActor () -> Void = {}
    /// How far links reach.
    var reachable = ReachItem()
    /// What is written down about contacts.
    var notes: [ContactItem.ID: String] = [:]
    /// How the person shows themselves.
    var profile = OwnProfile(displayName: "Pia Pretends", shortDescription: "Here for the tests")
    /// Contacts that can be brought back, with their places.
    var removed: [(Int, ContactItem)] = []
    /// What is wrong with the keyring.
    var keyringTrouble: KeyringTrouble?
    let machine = FakeDevices()
    /// The messages there are.
    let messageBoard = FakeMessages()
    /// The calls that were.
    let log: FakeLog
    private let lines = FakeLines()
    /// Whether the person takes no calls.
    var isBusy: Bool { busyWords.last ?? false }
    /// All that was said of it.
    private(set) var busyWords: [Bool] = []
    private(set) var isBusyByChoice: Bool?
    /// Whether calls ring at the machine's real loudspeakers.
    let isHeard: Bool
    /// The call that rings, or rang last.
    private(set) var ringing: FakeCall?
    private let bell: UserSignal?
    /// Whether there is no profile yet.
    private(set) var isNew: Bool
    /// How the person began theirs.
    private(set) var begun: [OwnProfile?] = []
    /// How often the account was started.
    private(set) var startCount = 0
    private let isLocked: Bool
    private let hasLockedKeyring: Bool
    private let hasNoNetwork: Bool
    private var attempts = 0
    /// Whether calls of several are made and taken.
    var takesGroups = getenv("FAKE_CALLS_GROUPS") != nil

    /// `pause` is how long each step of a pretended call takes. Whoever calls back does so a little later, or when the process gets
    /// SIGUSR1.
    init(
        pause: Duration = .milliseconds(600), ringsOnSignal: Bool = false, isHeard: Bool = false,
        isLocked: Bool = false, hasLockedKeyring: Bool = false, hasNoNetwork: Bool = false,
        callCount: Int = 0, isNew: Bool = false
    ) {
        self.hasNoNetwork = hasNoNetwork
        self.isNew = isNew
        log = FakeLog(callCount, with: FakeScript.allCases.map(\.contact))
        if takesGroups, callCount > 0 {
            log.add(FakeLog.ofSeveral(with: [FakeScript.shares, .isSilent].map(\.contact), .random()))
        }
        self.isHeard = isHeard
        self.isLocked = isLocked
        self.hasLockedKeyring = hasLockedKeyring
        (updates, channel) = AsyncStream.makeStream()
        self.pause = pause
        bell = ringsOnSignal ? UserSignal() : nil
    }

    func begin(as person: OwnProfile?) {
        isNew = false
        begun.append(person)
        profile = person ?? OwnProfile(displayName: "Someone")
    }

    func start(mayAsk: Bool) async {
        startCount += 1
        guard contacts.isEmpty else { return }
        channel.yield(.starting("Starting the relay of this computer…"))
        try? await Task.sleep(for: pause)
        attempts += 1
        // The person dismisses the first question.
        guard !hasLockedKeyring || mayAsk && attempts > 1 else {
            channel.yield(.locked("The keyring is locked. Parley goes on by itself once it is unlocked."))
            return
        }
        if isLocked, await askForPassphrase?(.open(isRepeat: false)) == nil {
            channel.yield(.failed("The profile needs its passphrase."))
            return
        }
        contacts = FakeScript.allCases.map(\.contact)
        fillMessages(with: FakeScript.shares.contact)
        relays = [RelayItem(address: "smp://cHJldGVuZGVk@127.0.0.1:5223", isEmbedded: true, state: .connected)]
        channel.yield(.takesGroupCalls(takesGroups, most: mostInGroupCall))
        channel.yield(.key(KeyItem(place: .file)))
        channel.yield(.ready)
        if hasNoNetwork { loseNetwork() }
    }

    /// There is none, and the relay is out of reach with it, until the process gets SIGUSR1.
    private func loseNetwork() {
        relays = [RelayItem(address: "smp://cHJldGVuZGVk@relay.invalid", state: .unreachable("No answer."))]
        channel.yield(.network(isThere: false))
        Task { [channel] in
            await UserSignal().wait()
            channel.yield(.network(isThere: true))
        }
    }

    func waitForKeyring() async throws { try await Task.sleep(for: .seconds(86_400)) }

    func obstacleToCalls() async -> String? { nil }

    func setCallsElsewhere(_ calls: CallsElsewhere) async { callsElsewhere = calls }

    func setBusy(_ isBusy: Bool) async { busyWords.append(isBusy) }

    func setBusyByChoice(_ isBusy: Bool) async { isBusyByChoice = isBusy }

    func call(
        _ contact: ContactItem, kind: CallKind, makingRoom room: MakingRoom?
    ) async throws -> any CallSession {
        let script = FakeScript(rawValue: contact.id) ?? .answers
        guard !isBlocked(contact) else {
            throw AccountError.contactBlocked(contact.name)
        }
        guard script != .isAway else { throw Refusal("\(contact.name) has not connected yet.") }
        guard await lines.makeRoom(room, for: nil) else {
            throw Refusal("You are in another call.")
        }
        if script == .callsBack || script == .givesUp { ringSoon(contact) }
        // Somebody else calls soon.
        if script == .isPopular { ringSoon(FakeScript.callsBack.contact) }
        if script == .fillsDisk { fillDisk() }
        let call = FakeCall(
            contact: contact, kind: kind, script: script, isIncoming: false, pause: pause, machine: machine,
            lines: lines)
        call.provider = self
        askSoon(in: call)
        return call
    }

    func flush() async {}

    func close() async { channel.finish() }

    func add(_ contact: ContactItem) {
        if !contacts.contains(where: { $0.id == contact.id }) { contacts.append(contact) }
    }

    private func isBlocked(_ contact: ContactItem) -> Bool {
        contacts.contains { $0.id == contact.id && $0.isBlocked }
    }

    func replace(_ contact: ContactItem) { contacts = contacts.map { $0.id == contact.id ? contact : $0 } }

    private func fillDisk() {
        Task { [pause, channel] in
            try? await Task.sleep(for: pause * 2)
            channel.yield(.trouble("There is no room left on the disk of this profile; make room there."))
            try? await Task.sleep(for: pause * 40)
            channel.yield(.trouble(nil))
        }
    }

    /// Somebody invites to a call of several, with others, as soon as the process gets SIGUSR1.
    func ringTogether() {
        Task { [pause, channel, bell] in
            if let bell { await bell.wait() } else { try? await Task.sleep(for: pause * 4) }
            let contacts = [FakeScript.callsBack, .shares].map(\.contact)
            channel.yield(.incoming(FakeGroupCall(contacts, kind: .video, isIncoming: true, pause: pause)))
        }
    }

    private func ringSoon(_ contact: ContactItem) {
        Task { [weak self, pause, channel, machine, lines, bell] in
            if let bell { await bell.wait() } else { try? await Task.sleep(for: pause * 4) }
            guard let self, !isBlocked(contact) else { return }
            guard !isBusy else {
                let sentence = "\(contact.name) called while you took no calls."
                channel.yield(
                    .missed(MissedCallItem(contact: contact, kind: .video, sentence: sentence, isTold: false)))
                return
            }
            let call = FakeCall(
                contact: contact, kind: .video, script: .answers, isIncoming: true, pause: pause, machine: machine,
                lines: lines)
            call.provider = self
            ringing = call
            channel.yield(.incoming(call))
            guard contact.id == FakeScript.givesUp.rawValue else { return }
            if let bell { await bell.wait() } else { try? await Task.sleep(for: pause * 8) }
            guard call.giveUp() else { return }
            channel.yield(
                .missed(MissedCallItem(contact: contact, kind: .video, sentence: FakeCall.missed, isTold: true)))
        }
    }
}
