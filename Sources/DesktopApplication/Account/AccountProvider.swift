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
    var askForPassphrase: (@MainActor (PassphraseQuestion) async -> String?)?
    let channel: AsyncStream<ProviderUpdate>.Continuation
    /// The microphone that the person tries, or tried last.
    var microphoneTest: MicrophoneTest?
    private var configuration: AccountConfiguration
    private var account: Account?
    private var isBusy = false
    private var listening: Task<Void, Never>?

    /// Prepares the account; nothing is opened before `start`.
    init(_ configuration: AccountConfiguration, passphraseFile: String? = nil) {
        (updates, channel) = AsyncStream.makeStream()
        self.configuration = configuration
        self.configuration.passphraseSource = PassphraseWindows(file: passphraseFile) { [weak self] question in
            await self?.askForPassphrase?(question)
        }
    }

    func start() async {
        channel.yield(.starting(tr("Opening your profile and the relay…")))
        do {
            let account = try await Account.open(configuration)
            self.account = account
            await account.setBusy(isBusy)
            let updates = account.updates
            // First who can be called, and over what: who waits for the account does not look for them again.
            await showRelays(of: account)
            await showContacts(of: account)
            channel.yield(.ready)
            listening = Task { [weak self] in
                for await update in updates { await self?.receive(update, of: account) }
            }
        } catch {
            channel.yield(.failed(sentence(of: error)))
        }
    }

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
        return AccountCall(try await account.call(known, media: kind.media, present: room?.present))
    }

    func setBusy(_ isBusy: Bool) async {
        self.isBusy = isBusy
        await account?.setBusy(isBusy)
    }

    func flush() async { await account?.flush() }

    func close() async {
        listening?.cancel()
        await microphoneTest?.close()
        await account?.close()
        channel.finish()
    }

    /// The account, once it is open.
    func opened() throws(AccountError) -> Account {
        guard let account else { throw .closed }
        return account
    }

    private func receive(_ update: AccountUpdate, of account: Account) async {
        switch update {
        case .contacts, .encryption: await showContacts(of: account)
        case .incoming(let call): channel.yield(.incoming(AccountCall(call)))
        case .missed(let call): channel.yield(.missed(MissedCallItem(call)))
        case .relay:
            await showRelays(of: account)
            await showContacts(of: account)
        case .requests(let requests): channel.yield(.requests(requests.map(RequestItem.init)))
        case .storeKey(let status):
            if let place = KeyPlace(status.place) { channel.yield(.key(place)) }
            if status.notice != nil { channel.yield(.notice(tr("The profile’s key lies in a file; see Preferences."))) }
        case .integrity(let id, let problem):
            guard let contact = await account.contacts().first(where: { $0.id == id }) else { return }
            channel.yield(.notice(problem.sentence(naming: contact.name)))
        case .storage(let error): channel.yield(.trouble(error?.sentence))
        case .failed(_, let fault): channel.yield(.notice(fault.sentence))
        case .settings(let loss): channel.yield(.notice(loss.sentence))
        case .notice(.callCutOff(let name)): channel.yield(.lost(AccountNotice.callCutOff(name).sentence))
        case .notice(let notice): channel.yield(.notice(notice.sentence))
        case .refused(let call, .encryptionRefused):
            channel.yield(.notice("\(call.contact.name): \(CallEndReason.encryptionRefused.sentence)"))
        case .refused(let call, .connectionLost):
            channel.yield(.lost(tr("Parley ended during a call with %s.", call.contact.name)))
        case .refused, .moving, .delivered: break
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
    init(_ request: IncomingRequest) { self.init(id: request.id, name: request.name) }
}
