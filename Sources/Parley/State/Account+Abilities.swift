import Agent
import Calling
import Signaling

extension Account {
    /// Tells a contact what this program understands beyond the protocol, unless they know it; a contact of before learns it so once.
    /// What other programs read is the profile that they have, so that they see nothing new.
    func announceAbilities(to id: ContactID) async {
        guard let record = book[id], record.isConnected, record.toldAbilities != profile.abilities else { return }
        do {
            let message = try ChatMessage.identified(.information(profile)).encoded()
            _ = try await agent.send(message, on: ConnectionID(rawValue: id.rawValue), notify: false)
        } catch {
            // Told at the next start.
            return logger.notice("A contact was not told what this program understands: \(error)")
        }
        await noteAnnounced(to: id)
    }

    /// A contact has been sent the profile, and with it what this program understands.
    func noteAnnounced(to id: ContactID) async {
        await change(id) { $0.toldAbilities = profile.abilities }
    }
}
