import AgentProtocol

extension ReceivedMessage {
    /// What a record says to the application; nil when the application has acknowledged it.
    init?(_ record: ReceivedRecord) throws {
        guard let body = record.body, let integrity = record.integrity else { return nil }
        self.init(
            id: record.id, brokerTime: record.brokerTime, body: body,
            integrity: try MessageIntegrity(decoding: integrity))
    }
}
