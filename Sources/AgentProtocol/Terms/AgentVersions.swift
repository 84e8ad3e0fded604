/// Versions of the agent's messages (Agent fact sheet §1).
public enum AgentVersions {
    /// What this program reads, writes and says in links.
    public static let supported = VersionRange(minimum: 2, maximum: 7)
    /// From here on a received message may be receipted.
    public static let receipts: UInt16 = 4
}
