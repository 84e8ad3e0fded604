/// What a peer's receipt says of a message it has received (Agent fact sheet §8). Raw values are stored.
public enum ReceiptVerdict: Int, Equatable, Sendable {
    /// The peer has received what was sent.
    case matching = 1
    /// The peer has received something else under this number.
    case badHash = 2
}
