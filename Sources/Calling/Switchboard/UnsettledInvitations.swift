import BaseKit
import Signaling

/// The invitations that are not settled, oldest first: what has to outlive the process. Some are held: they don't ring before
/// everything has been read that waited at the relay behind them, which may be the caller's end.
struct UnsettledInvitations: Sendable {
    /// One that does not ring yet.
    struct Held: Sendable {
        let invitation: KeptInvitation
        /// Candidates that came before it.
        let candidates: [ICECandidate]
        /// When it has rung long enough, whether it was heard or not.
        let end: Instant
    }

    private(set) var all: [KeptInvitation] = []
    private var held: [CallID: Held] = [:]

    func held(_ id: CallID) -> Held? { held[id] }

    /// Those of a contact that are held, oldest first.
    func held(of contact: ContactID) -> [Held] {
        all.compactMap { held[$0.callID] }.filter { $0.invitation.contact == contact }
    }

    mutating func add(_ invitation: KeptInvitation) {
        guard !all.contains(where: { $0.callID == invitation.callID }) else { return }
        all.append(invitation)
    }

    mutating func hold(_ invitation: Held) {
        add(invitation.invitation)
        held[invitation.invitation.callID] = invitation
    }

    /// It rings from now on, or is about to be settled.
    mutating func release(_ id: CallID) { held[id] = nil }

    /// The person has accepted; from now on it can't ring again.
    mutating func accept(_ id: CallID) {
        guard let index = all.firstIndex(where: { $0.callID == id }), !all[index].isAccepted else { return }
        all[index] = all[index].accepted
    }

    /// The person wants to hear nothing of it, in this life of the process or the next.
    mutating func ignore(_ id: CallID) {
        guard let index = all.firstIndex(where: { $0.callID == id }), !all[index].isIgnored else { return }
        all[index] = all[index].ignored
    }

    mutating func settle(_ id: CallID) {
        held[id] = nil
        all.removeAll { $0.callID == id }
    }
}
