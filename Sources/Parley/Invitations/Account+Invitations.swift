import Agent
import Calling
import Signaling

// Calls that came in and are not settled, which outlive the process.
extension Account {
    /// The calls that came in and that nobody has taken, declined or missed yet, oldest first: that which rings, and those that
    /// will as soon as it is known that the caller has not given up.
    public func invitations() -> [PendingCall] {
        keptInvitations.invitations.filter { !$0.isAccepted }.map { kept in
            PendingCall(
                id: kept.callID, contact: contact(kept.contact), arrivedAt: kept.arrivedAt,
                media: kept.invitation.callType.media, profile: displayName)
        }
    }

    /// Takes over what a former process has kept of contacts that there are still.
    /// - Returns: The calls whose end will be told because of that.
    func restoreInvitations() async -> Set<CallID> {
        guard let restored = await keptInvitations.restored() else { return [] }
        let known = restored.filter { book[$0.contact] != nil }
        await center.restore(known)
        keptInvitations.takeOver()
        for contact in Set(restored.map(\.contact)) { await awaitEndOfMailbox(of: contact) }
        return Set(known.map(\.callID))
    }

    /// A call of this contact that waited at the relay rings once nothing is left there that may end it.
    func awaitEndOfMailbox(of contact: ContactID) async {
        guard keptInvitations.invitations.contains(where: { $0.contact == contact }) else { return }
        await agent.tellWhenRead(ConnectionID(rawValue: contact.rawValue))
    }

    /// There are other invitations than before. While a message is handled they are stored with its acknowledgement.
    func storeInvitations() async {
        guard !isHandlingMessage else { return }
        await keptInvitations.store()
    }
}
