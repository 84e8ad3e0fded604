/// What the numbers and hashes say about a received message (Agent fact sheet §8). The message is delivered in any case.
public enum MessageIntegrity: Hashable, Sendable {
    /// It follows the last one.
    case ok
    /// Messages are missing before it: first and last missing number.
    case skipped(from: Int64, to: Int64)
    /// Its number is below the last one.
    case badID(Int64)
    /// Its number is the last one again.
    case duplicate
    /// The number is right, and the message before it was another one than was received.
    case badHash
}
