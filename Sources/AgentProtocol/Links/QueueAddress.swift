import SMP

/// Where a queue is: its relay and the id senders use.
public struct QueueAddress: Hashable, Sendable {
    /// The relay, without password.
    public let relay: RelayAddress
    /// The id senders use.
    public let senderID: EntityID

    /// An address; the relay's password is left out.
    public init(relay: RelayAddress, senderID: EntityID) {
        self.relay = relay.withoutPassword
        self.senderID = senderID
    }

    /// Whether both name one queue: same id, same relay key, and a host in common.
    func isSameQueue(as other: QueueAddress) -> Bool {
        senderID == other.senderID && relay.keyHash == other.relay.keyHash
            && !Set(relay.hosts).isDisjoint(with: other.relay.hosts)
    }

    init(from reader: inout ByteReader) throws {
        self.init(relay: try reader.relayAddress(), senderID: try reader.entityID())
    }

    func encode(to writer: inout ByteWriter) throws {
        try writer.relayAddress(relay)
        try writer.entityID(senderID)
    }
}
