@testable import Agent
@testable import AgentProtocol

/// Two connected sides without a relay.
struct StepPair {
    let initiator: StepParty
    let joiner: StepParty

    /// - Parameter version: the agent version that the link offers.
    init(version: UInt16 = 7) throws {
        let link: ConnectionLink
        (initiator, link) = try StepParty.initiator(isFast: true)
        joiner = try StepParty.joiner(link, repliesFast: true, version: version, info: [])
        try joiner.flush(to: initiator)
        try initiator.allow([])
        try settle()
        initiator.events = []
        joiner.events = []
    }

    /// Everything that wants to leave does, both ways, until nothing is left.
    func settle() throws {
        while !(initiator.wanted.isEmpty && joiner.wanted.isEmpty && initiator.relaySteps.isEmpty
            && joiner.relaySteps.isEmpty)
        {
            try initiator.flush(to: joiner)
            try joiner.flush(to: initiator)
        }
    }
}

extension StepParty {
    var record: ConnectionRecord {
        get throws {
            guard let record = try store.read({ try $0.connection(id) }) else { throw AgentError.unknownConnection }
            return record
        }
    }

    /// The ratchet of another time, as a restored backup would have it.
    func setRatchet(_ record: ConnectionRecord) throws {
        try step { $0.record.ratchet = record.ratchet }
    }

    /// What a crash at this point leaves: the store alone. What was in flight is in flight no more.
    func restart() throws {
        wanted = []
        relaySteps = []
        delivery = DeliveryMachine()
        let entries = try store.read { try $0.deliveryEntries(of: id) }
        try step { step in
            try step.carryOut(step.handshake.resume())
            step.effects.entries = entries
        }
    }
}
