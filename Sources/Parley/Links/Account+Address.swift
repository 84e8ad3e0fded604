import Agent
import Calling
import Signaling

// The contact address and the requests that come in there.
extension Account {
    /// The link that anybody may use to ask; nil when there is none.
    /// - Throws: `AccountError`.
    public func contactAddress() async throws(AccountError) -> String? {
        try await inAgent { try await agent.addresses() }.first?.link
    }

    /// Makes a contact address, or gives the one there is, whatever its form.
    /// - Throws: `AccountError`: no relay, or it can't keep short links.
    public func makeContactAddress(_ form: LinkForm = .automatic) async throws(AccountError) -> String {
        if let existing = try await contactAddress() { return existing }
        _ = try ownRelay()
        return try await inAgent {
            try await make(form, { try await $0.makeAddress() }, { try await $0.makeShortAddress() })
        }
        .link
    }

    /// Deletes the contact address. Who was accepted stays a contact; requests without an answer go.
    /// - Throws: `AccountError`.
    public func deleteContactAddress() async throws(AccountError) {
        try await inAgent {
            for address in try await agent.addresses() { try await agent.delete(address.id) }
        }
        await tellRequests()
    }

    /// Those who ask and have no answer, oldest first.
    /// - Throws: `AccountError`.
    public func contactRequests() async throws(AccountError) -> [IncomingRequest] {
        try await inAgent { try await agent.requests() }
            .map { request in
                IncomingRequest(
                    id: request.id, information: request.information, brokerTime: request.brokerTime,
                    labels: people.requestLabels[request.id] ?? [])
            }
    }

    /// Accepts somebody who asks.
    /// - Throws: `AccountError.unknownRequest` when there was an answer before, or no such request.
    public func accept(_ request: IncomingRequest.ID) async throws(AccountError) -> PendingContact {
        let information = introduction(to: nil)
        let (connection, asked) = try await inAgent {
            let asked = try await agent.requests().first { $0.id == request }
            let own = try ChatMessage(.information(information)).encodedConnectionInformation()
            return (try await agent.accept(request, info: own), asked)
        }
        let id = ContactID(rawValue: connection.rawValue)
        let labels = await takeLabels(ofRequest: request)
        await change(id) {
            $0.noteTold(information)
            if !labels.isEmpty { $0.labels = labels }
        }
        if let profile = asked.flatMap({ Profile(request: $0.information) }) { await keep(profile, of: id) }
        await tellRequests()
        return PendingContact(id: id, kind: .invitation, account: self)
    }

    /// Forgets a request; who asked learns nothing.
    /// - Throws: `AccountError.unknownRequest` when there was an answer before, or no such request.
    public func reject(_ request: IncomingRequest.ID) async throws(AccountError) {
        try await inAgent { try await agent.reject(request) }
        _ = await takeLabels(ofRequest: request)
        await tellRequests()
    }

    /// Tells everybody who asks now.
    func tellRequests() async {
        guard let requests = try? await contactRequests() else { return }
        listeners.send(.requests(requests))
    }

    /// Makes a link of the wanted form.
    func make<Made: Sendable>(
        _ form: LinkForm, _ full: (Agent) async throws -> Made, _ short: (Agent) async throws -> Made
    ) async throws -> Made {
        switch form {
        case .full: return try await full(agent)
        case .short: return try await short(agent)
        case .automatic:
            do {
                return try await short(agent)
            } catch AgentError.shortLinksUnsupported {
                return try await full(agent)
            }
        }
    }
}
