extension ConnectionSummary {
    /// What a record says to the application.
    init(_ record: ConnectionRecord) {
        let phase: Phase =
            switch record.state {
            case .invited: .invited
            case .confirmed: .confirmed
            case .preparingRequest, .requesting, .allowing, .securing, .preparing, .securingReply, .confirming,
                .awaitingConfirmation, .greeting,
                .awaitingHello:
                .connecting
            case .connected: .connected
            case .failed: .failed
            }
        self.init(
            id: record.id, phase: phase, isInitiator: record.role == .initiator, agentVersion: record.agentVersion)
    }
}
