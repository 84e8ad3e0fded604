// Who asks at a contact address can't fill the store.
extension Agent {
    /// Whether a request may come in now. If not, its queue is looked at again as soon as one was answered.
    func hasRoomForRequest(at address: ConnectionID, _ name: ReceiveQueueName) throws -> Bool {
        let limits = configuration.requestLimits
        let (here, all) = try inStore { (try $0.requestCount(at: address), try $0.requestCount()) }
        guard here >= limits.waitingPerAddress || all >= limits.waiting else { return true }
        heldRequests += 1
        if fullAddresses.insert(name).inserted {
            logger.notice(
                "Requests stay with the relay", metadata: ["address": "\(address)", "waiting": "\(all)"])
        }
        return false
    }

    /// How often a request was left with its relay because too many wait for an answer.
    public var heldRequestCount: Int { heldRequests }

    /// A request was answered: the relays are asked for the next ones.
    func takeUpRequests() {
        let names = fullAddresses.filter { places[$0] != nil }
        fullAddresses = []
        for name in names { subscribe([name]) }
    }
}
