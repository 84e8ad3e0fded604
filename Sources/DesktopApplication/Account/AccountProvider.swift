import Calling
import Foundation
import GLibKit
import Media
import MediaRules
import Parley
import Signaling
import Wording

/// The person's account behind the windows.
@MainActor final class AccountProvider: CallProvider {
    let updates: AsyncStream<ProviderUpdate>
    var profileLabel: ProfileLabel?
    var onDevices: (@MainActor () -> Void)?
    var makeRoom: (@MainActor (MakingRoom?) async -> Bool)?
    var askForPassphrase: (@MainActor (PassphraseQuestion) async -> String?)?
    let channel: AsyncStream<ProviderUpdate>.Continuation
    /// The microphone that the person tries, or tried last.
    var microphoneTest: MicrophoneTest?
    /// The camera that looks for QR codes, or did last.
    var codeScanner: CodeScanner?
    /// The camera that the person looks at, or looked at last.
    var cameraTest: CameraTest?
    /// Whether a person is asked before a profile is made.
    private let welcomes: Bool
    /// The contacts as they were told last.
    var items: [ContactItem] = []
    /// How the person wants to be seen, until the account is open.
    private var wished: OwnProfile?
    private(set) var configuration: AccountConfiguration
    private var account: Account?
    private var hasBegun = false
    private var isBusy = false
    private var listening: Task<Void, Never>?

    /// Prepares the account; nothing is opened before `start`.
    init(_ configuration: AccountConfiguration, passphraseFile: String? = nil, welcomes: Bool = false) {
        (updates, channel) = AsyncStream.makeStream()
        self.welcomes = welcomes
        self.configuration = configuration
        self.configuration.passphraseSource = PassphraseWindows(file: passphraseFile) { [weak self] question in
            await self?.askForPassphrase?(question)
        }
    }

    var isNew: Bool { welcomes && !hasBegun && !configuration.hasProfile }

    func begin(as person: OwnProfile?) {
        hasBegun = true
        wished = person
        configuration.displayName = person?.displayName ?? configuration.displayName ?? tr("Someone")
    }

    func start(mayAsk: Bool) async {
        guard account == nil else { return }
        channel.yield(.starting(tr("Opening your profile and the relay…")))
        configuration.mayUnlockKeyring = mayAsk
        do {
            let account = try await Account.open(configuration)
            self.account = account
            // It is remembered, and may be changed before the next start.
            configuration.displayName = nil
            await account.setBusy(isBusy)
            await takeWish(account)
            let updates = account.updates
            // First who can be called, and over what: who waits for the account does not look for them again.
            channel.yield(.name(await account.displayName))
            await showRelays(of: account)
            await showContacts(of: account)
            channel.yield(.ready)
            listening = Task { [weak self] in
                for await update in updates { await self?.receive(update, of: account) }
            }
        } catch AccountError.keyring(.service(.locked)) {
            channel.yield(.locked(tr("The keyring is locked. Parley goes on by itself once it is unlocked.")))
        } catch AccountError.store(.moved(let file)) {
            channel.yield(.moved(file: file))
        } catch let error as AccountError where error.isOfClosedKeyring {
            channel.yield(.locked(error.sentence))
        } catch {
            channel.yield(.failed(sentence(of: error)))
        }
    }

    private func takeWish(_ account: Account) async {
        guard let person = wished else { return }
        wished = nil
        do {
            try await account.setProfile(person)
        } catch {
            channel.yield(.notice(error.sentence))
        }
    }

    func waitForKeyring() async throws { try await Account.waitForKeyring(configuration) }

    func obstacleToCalls() async -> String? {
        // Away from the main thread: GStreamer may have to read all its plugins.
        await Task.detached {
            do throws(MediaError) {
                try MediaRuntime.start()
                return nil
            } catch {
                return error.sentence
            }
        }.value
    }

    func call(
        _ contact: ContactItem, kind: CallKind, makingRoom room: MakingRoom?
    ) async throws -> any CallSession {
        let account = try opened()
        guard let known = await account.contacts().first(where: { $0.id.rawValue == contact.id }) else {
            throw AccountError.unknownContact(contact.name)
        }
        guard await makeRoom?(room) ?? true else { throw AccountError.call(.busy) }
        return AccountCall(try await account.call(known, media: kind.media, present: room?.present), of: self)
    }

    func setCallsElsewhere(_ calls: CallsElsewhere) async { await account?.setCallsElsewhere(calls) }

    func setBusy(_ isBusy: Bool) async {
        self.isBusy = isBusy
        await account?.setBusy(isBusy)
    }

    var isBusyByChoice: Bool? {
        get async { await account?.isBusyByChoice }
    }

    func setBusyByChoice(_ isBusy: Bool) async {
        do throws(AccountError) {
            try await account?.setBusyByChoice(isBusy)
        } catch {
            channel.yield(.notice(error.sentence))
        }
    }

    func flush() async { await account?.flush() }

    func close() async {
        await leaveAccount()
        channel.finish()
    }

    /// Closes the account; it can be opened again.
    func leaveAccount() async {
        listening?.cancel()
        await microphoneTest?.close()
        await codeScanner?.close()
        await cameraTest?.close()
        await account?.close()
        account = nil
    }

    /// The account, once it is open.
    func opened() throws(AccountError) -> Account {
        guard let account else { throw .closed }
        return account
    }

    private func receive(_ update: AccountUpdate, of account: Account) async {
        switch update {
        case .contacts, .encryption, .unread: await showContacts(of: account)
        case .written(let message, let contact): channel.yield(.written(WrittenItem(message, from: contact)))
        case .incoming(let call): channel.yield(.incoming(AccountCall(call, of: self)))
        case .incomingGroup(let call): channel.yield(.incoming(AccountGroupCall(call, of: self)))
        case .takesGroupCalls(let isOn): channel.yield(.takesGroupCalls(isOn, most: account.mostInGroupCall))
        case .groupCallGoesOn(let call): channel.yield(.groupCallGoesOn(call))
        case .missed(let call): channel.yield(.missed(MissedCallItem(call)))
        case .relay:
            await showRelays(of: account)
            await showContacts(of: account)
        case .requests(let requests): channel.yield(.requests(requests.map(RequestItem.init)))
        case .storeKey(let status):
            if let place = KeyPlace(status) {
                channel.yield(.key(KeyItem(place: place, isLeftInKeyring: status.isLeftInKeyring)))
            }
        case .integrity(let id, let problem):
            guard let contact = await account.contacts().first(where: { $0.id == id }) else { return }
            channel.yield(.notice(problem.sentence(naming: contact.name)))
        case .network(let isThere): channel.yield(.network(isThere: isThere))
        case .storage(let error): channel.yield(.trouble(error?.sentence))
        case .failed(_, let fault):
            channel.yield(.notice(fault.sentence, Remedy(AccountError.connection(fault))))
        case .settings(let loss): channel.yield(.notice(loss.sentence))
        case .notice(let notice) where notice.isOfCutOffCall: channel.yield(.lost(notice.sentence))
        case .notice(let notice): channel.yield(.notice(notice.sentence, await remedy(notice, of: account)))
        case .refused(let call, .encryptionRefused):
            channel.yield(.notice("\(call.contact.shownName): \(CallEndReason.encryptionRefused.sentence)"))
        case .refused(let call, .connectionLost):
            channel.yield(.lost(AccountNotice.callCutOff(call.contact.name).sentence))
        case .refused, .moving, .delivered: break
        }
    }
}

extension AccountProvider {
    private func remedy(_ notice: AccountNotice, of account: Account) async -> Remedy? {
        switch notice {
        case .removed: return .addContact
        case .codeChanged(let name):
            return await account.contacts().first { $0.name == name }.map { .compare($0.id.rawValue) }
        case .routing: return .reach
        case .renamed, .callCutOff, .messagesNotKept, .notInvited, .testCallUnavailable: return nil
        }
    }
}

extension MissedCallItem {
    /// A missed call of the account.
    init(_ call: MissedCall) {
        self.init(
            contact: ContactItem(call.contact), kind: CallKind(call.media), sentence: call.sentence, isTold: call.rang)
    }
}

extension MakingRoom {
    /// The façade’s word for it.
    var present: PresentCall { self == .hold ? .hold : .end }
}

extension CallKind {
    /// The façade's word for it.
    var media: CallMedia { self == .video ? .video : .audio }

    /// The window's word for it.
    init(_ media: CallMedia) { self = media == .video ? .video : .audio }
}

extension RequestItem {
    /// Somebody who asks at the account's address.
    init(_ request: IncomingRequest) {
        self.init(id: request.id, name: request.shownName)
        shortDescription = request.shortDescription
        picture = request.picture
        labels = request.labels
    }
}

extension AccountNotice {
    fileprivate var isOfCutOffCall: Bool { if case .callCutOff = self { true } else { false } }
}
