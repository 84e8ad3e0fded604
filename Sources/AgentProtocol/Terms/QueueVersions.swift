/// Versions of queue addresses and per-queue envelopes ("SMP client" versions, Agent fact sheet §1).
public enum QueueVersions {
    /// What this program reads, writes and says in links.
    public static let supported = VersionRange(minimum: 1, maximum: 4)
    /// Several hosts; older addresses name one.
    static let withSeveralHosts: UInt16 = 2
    /// The sender may secure the queue.
    package static let withSenderKey: UInt16 = 3
    /// Queue modes and short links.
    static let withQueueMode: UInt16 = 4
}
