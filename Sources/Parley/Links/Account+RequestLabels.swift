import Agent

// What the person here puts on those who ask.
extension Account {
    /// Puts these labels on somebody who asks; who is accepted keeps them.
    /// - Throws: `AccountError.tooManyLabels`, `.unknownRequest`, `.store`.
    public func setLabels(
        _ labels: [ContactLabel], ofRequest id: IncomingRequest.ID
    ) async throws(AccountError) {
        let labels = ContactLabel.distinct(labels)
        guard labels.count <= ContactLabel.maximumCount else { throw .tooManyLabels(ContactLabel.maximumCount) }
        guard try await contactRequests().contains(where: { $0.id == id }) else { throw .unknownRequest }
        people.requestLabels[id] = labels.isEmpty ? nil : labels
        try await inAgent { try await storeRequestLabels() }
        await tellRequests()
    }

    /// What was put on somebody who asks; nothing is kept of it.
    func takeLabels(ofRequest id: IncomingRequest.ID) async -> [ContactLabel] {
        guard let labels = people.requestLabels.removeValue(forKey: id) else { return [] }
        try? await storeRequestLabels()
        return labels
    }

    private static let requestLabelsName = "request-labels"

    private func storeRequestLabels() async throws {
        let labels = people.requestLabels
        let bytes = labels.isEmpty ? nil : RequestLabels.encoded(labels)
        try await agent.setApplicationData(Self.requestLabelsName, to: bytes)
    }

    /// What can't be read is as if it were not there.
    func loadRequestLabels() async {
        guard let bytes = try? await agent.applicationData(Self.requestLabelsName) else { return }
        people.requestLabels = RequestLabels.decoded(bytes) ?? [:]
    }
}
