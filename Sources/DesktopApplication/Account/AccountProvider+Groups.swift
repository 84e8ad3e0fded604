import Calling
import Parley
import Signaling

// Calls of several.
extension AccountProvider {
    var takesGroupCalls: Bool {
        get async { (try? opened())?.takesGroupCalls ?? false }
    }

    func setTakesGroupCalls(_ isOn: Bool) async throws { try await opened().setTakesGroupCalls(isOn) }

    func callTogether(_ contacts: [ContactItem], kind: CallKind) async throws -> any GroupCallSession {
        let account = try opened()
        var known: [Contact] = []
        for contact in contacts { known.append(try await self.contact(contact, of: account)) }
        guard await makeRoom?(nil) ?? true else { throw AccountError.call(.busy) }
        return AccountGroupCall(try await account.groupCall(with: known, media: kind.media), of: self)
    }

    func addPeople(_ contacts: [ContactItem], to call: any CallSession) async throws -> any GroupCallSession {
        let account = try opened()
        guard let talk = call as? AccountCall else { throw AccountError.call(.noSuchCall) }
        var known: [Contact] = []
        for contact in contacts { known.append(try await self.contact(contact, of: account)) }
        return AccountGroupCall(try await account.addPeople(known, to: talk.call), of: self)
    }

    func returnToGroupCall() async throws -> any GroupCallSession {
        let account = try opened()
        guard await makeRoom?(nil) ?? true else { throw AccountError.call(.busy) }
        return AccountGroupCall(try await account.returnToGroupCall(), of: self)
    }

    /// Invites one more contact to a call that is on.
    func invite(_ contact: ContactItem, to call: GroupCall) async throws {
        let account = try opened()
        try await account.invite(try await self.contact(contact, of: account), to: call)
    }

    /// The code to compare with a member of a call; nil before there is a way to them.
    func securityCode(of member: MemberNumber, in call: GroupCall) async -> String? {
        try? await opened().securityCode(of: member, in: call)
    }

    /// Remembers that this code was compared with a member of a call, or with nil that it was not.
    func setCompared(_ code: String?, of member: MemberNumber, in call: GroupCall) async throws {
        try await opened().setCompared(code, of: member, in: call)
    }

    private func contact(_ item: ContactItem, of account: Account) async throws(AccountError) -> Contact {
        guard let contact = await account.contacts().first(where: { $0.id.rawValue == item.id }) else {
            throw .unknownContact(item.name)
        }
        return contact
    }

    /// A contact as the windows know it.
    func item(_ id: ContactID?) -> ContactItem? { id.flatMap { id in items.first { $0.id == id.rawValue } } }
}
