import Agent
import Calling

// How relays and connections fare, and what a person can do about it.
extension Account {
    /// All relays in use, own ones first.
    /// - Throws: `AccountError`.
    public func relayStatuses() async throws(AccountError) -> [RelayStatus] {
        try await inAgent { try await agent.relayStates() }.map(RelayStatus.init)
    }

    /// How the connection to a contact fares.
    /// - Throws: `AccountError`.
    public func connection(of id: ContactID) async throws(AccountError) -> ContactConnection {
        ContactConnection(try await inAgent { try await agent.status(of: ConnectionID(rawValue: id.rawValue)) })
    }

    /// Moves the own mailbox for a contact to another relay, or on the same one if there is no other. Messages keep flowing;
    /// `AccountUpdate.moving` tells when it is over, also after a restart.
    /// - Throws: `AccountError`; `.connection` while it moves already or before the contact is connected.
    public func moveQueue(of id: ContactID) async throws(AccountError) {
        try await inAgent {
            do {
                try await agent.moveQueue(of: ConnectionID(rawValue: id.rawValue))
            } catch AgentError.notReady {
                throw AccountError.connection(.notMovable)
            }
        }
    }

    /// Agrees on new keys with a contact whose messages can't be read any more. `AccountUpdate.encryption` tells when it is
    /// over; the security code is another one then.
    /// - Parameter force: Also when nothing seems wrong, or in place of a repair that is under way.
    /// - Throws: `AccountError`; `.connection` when nothing is wrong or a repair is under way.
    public func resynchronise(_ id: ContactID, force: Bool = false) async throws(AccountError) {
        try await inAgent {
            do {
                try await agent.resynchronise(ConnectionID(rawValue: id.rawValue), force: force)
            } catch AgentError.notReady {
                throw AccountError.connection(.nothingToRepair)
            }
        }
    }

    /// What both people can compare, over the phone or side by side, to know that nobody sits between them: digits in
    /// groups of five. Nil before the contact is known.
    /// - Throws: `AccountError`.
    public func securityCode(of id: ContactID) async throws(AccountError) -> String? {
        try await inAgent { try await agent.securityCode(of: ConnectionID(rawValue: id.rawValue)) }?.text
    }

    /// The relay through which a contact's messages come, for a call's summary.
    func receivingRelay(of id: ContactID) async -> String? {
        let status = try? await agent.status(of: ConnectionID(rawValue: id.rawValue))
        return status?.receivingRelays.first?.address.text ?? relays.first?.text
    }

    /// Tells everybody how a relay fares.
    func tellRelay(_ address: String) async {
        guard let all = try? await relayStatuses() else { return }
        for status in all where status.address == address { listeners.send(.relay(status)) }
    }
}
