import Calling
import Cryptography
import Signaling

// Security codes of those in a group call, and what contacts among them recognise each other by. Contacts have the code of their
// connection, others that of the line made for the call. Keys of frames and certificates of paths come by these, so that whoever compares a
// code has compared both.
extension Account {
    /// The code that a member of a group call and the person here both see if nobody is between them; nil before there is a way to them.
    /// - Throws: `AccountError.store`, `.closed`.
    public func securityCode(of member: MemberNumber, in call: GroupCall) async throws(AccountError) -> String? {
        if let contact = call.contact(of: member) { return try await securityCode(of: contact) }
        guard let line = groups.lines.connection(to: member, of: call.id) else { return nil }
        return try await inAgent { try await agent.securityCode(of: line) }?.text
    }

    /// Remembers that both people have compared this code, or, with nil, that they have not: of a contact as ``setCompared(_:of:)`` does,
    /// of others as long as the call and their line last.
    /// - Throws: `AccountError.codeChanged` when another one holds already.
    public func setCompared(
        _ code: String?, of member: MemberNumber, in call: GroupCall
    ) async throws(AccountError) {
        if let contact = call.contact(of: member) { return try await setCompared(code, of: contact) }
        if let code, code != (try await securityCode(of: member, in: call)) { throw .codeChanged }
        call.setCompared(code, of: member)
    }

    /// What each contact with whom calls of several can be made and the person here know alone.
    var recognitionSecrets: [ContactID: SecretBytes] {
        book.records.reduce(into: [:]) { secrets, record in
            secrets[ContactID(rawValue: record.connection)] = record.recognitionSecret
        }
    }

    func checkComparedCodes(in id: CallID) async {
        if let call = groupCalls[id] { await checkComparedCodes(in: call) }
    }

    /// Forgets of a group call that codes were compared which hold no longer. That another holds in place of one is told.
    func checkComparedCodes(in call: GroupCall) async {
        for (member, compared) in call.comparedCodes {
            let standing = call.state.members.first { $0.number == member }
            // Of who has proved to be a contact the code of their own connection counts.
            guard standing?.contact == nil, standing?.stage.hasLine == true,
                let code = try? await securityCode(of: member, in: call)
            else {
                call.setCompared(nil, of: member)
                continue
            }
            guard code != compared, call.comparedCodes[member] == compared else { continue }
            call.setCompared(nil, of: member)
            listeners.send(.notice(.codeChanged(standing?.name ?? Contact.unknownName)))
        }
    }
}

extension ContactBook.Record {
    /// What they and the person here know alone; nil where one of the two has not heard the other's part, or wants to hear of no calls.
    fileprivate var recognitionSecret: SecretBytes? {
        guard isConnected, isBlocked != true, isGone != true, isLeaving != true, let own = ownRecognitionSeed,
            let theirs = recognitionSeed
        else { return nil }
        return own.secret(with: theirs)
    }
}

extension GroupCallUpdate.MemberStage {
    /// Whether somebody who stands so is in, so that their line is not on its way out.
    fileprivate var hasLine: Bool {
        switch self {
        case .connecting, .connected, .reconnecting: true
        case .inviting, .unreachable, .ringing, .left, .removed, .declined, .busy, .noAnswer, .notReached: false
        }
    }
}
