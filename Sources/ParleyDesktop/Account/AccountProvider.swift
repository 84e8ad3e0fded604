import Calling
import Foundation
import GLibKit
import Parley
import Signaling

/// The person's account behind the windows.
@MainActor final class AccountProvider: CallProvider {
    let updates: AsyncStream<ProviderUpdate>
    private let channel: AsyncStream<ProviderUpdate>.Continuation
    private let configuration: AccountConfiguration
    private var account: Account?
    private var listening: Task<Void, Never>?

    /// Prepares the account; nothing is opened before `start`.
    init(_ configuration: AccountConfiguration) {
        (updates, channel) = AsyncStream.makeStream()
        self.configuration = configuration
    }

    func start() async {
        channel.yield(.starting(tr("Opening your profile and the relay…")))
        do {
            let account = try await Account.open(configuration)
            self.account = account
            listening = Task { [weak self, updates = account.updates] in
                for await update in updates { self?.take(update) }
            }
            channel.yield(.ready)
        } catch {
            channel.yield(.failed(String(describing: error)))
        }
    }

    func makeInvitation() async throws -> InvitationItem {
        let invitation = try await opened().makeInvitation()
        return InvitationItem(link: invitation.link) { ContactItem(try await invitation.connected()) }
    }

    func connect(link: String) async throws -> ContactItem {
        ContactItem(try await opened().connect(link: link))
    }

    func call(_ contact: ContactItem, kind: CallKind) async throws -> any CallSession {
        let account = try opened()
        guard let known = await account.contacts().first(where: { $0.id.rawValue == contact.id }) else {
            throw AccountError.unknownContact(contact.name)
        }
        return AccountCall(try await account.call(known, media: kind.media))
    }

    func close() async {
        listening?.cancel()
        await account?.close()
        channel.finish()
    }

    private func opened() throws(AccountError) -> Account {
        guard let account else { throw .closed }
        return account
    }

    private func take(_ update: AccountUpdate) {
        switch update {
        case .contacts(let contacts): channel.yield(.contacts(contacts.map(ContactItem.init)))
        case .incoming(let call): channel.yield(.incoming(AccountCall(call)))
        case .relay(let status):
            channel.yield(.relay(status.smpVersion == nil ? tr("Connecting to the relay…") : nil))
        case .failed(_, let sentence), .notice(let sentence): channel.yield(.notice(sentence))
        case .storeKey(let status): if let notice = status.notice { channel.yield(.notice(notice)) }
        case .requests, .encryption, .integrity, .moving, .delivered: break
        }
    }
}

extension ContactItem {
    /// A contact of the account.
    init(_ contact: Contact) {
        self.init(
            id: contact.id.rawValue, name: contact.name, isTestCall: contact.isTestCall,
            isConnected: contact.isConnected)
    }
}

extension CallKind {
    /// The façade's word for it.
    var media: CallMedia { self == .video ? .video : .audio }

    /// The window's word for it.
    init(_ media: CallMedia) { self = media == .video ? .video : .audio }
}
