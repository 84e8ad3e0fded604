// Who asks at a contact address can't fill the store.
extension Agent {
    /// Too many requests wait for one more: it stays with the relay, and its queue is looked at again as soon as one was answered.
    func leave(_ name: ReceiveQueueName, of address: ConnectionID, waitingRequests count: Int) {
        heldRequests += 1
        guard fullAddresses.insert(name).inserted else { return }
        logger.notice("Requests stay with the relay", metadata: ["address": "\(address)", "waiting": "\(count)"])
    }

    /// How often a request was left with its relay because too many wait for an answer.
    var heldRequestCount: Int { heldRequests }

    /// A request was answered: the relays are asked for the next ones.
    func fetchHeldRequests() {
        let names = fullAddresses.filter { places[$0] != nil }
        fullAddresses = []
        for name in names { subscribe([name]) }
    }
}
