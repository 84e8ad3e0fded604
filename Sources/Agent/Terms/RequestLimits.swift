/// How many requests at contact addresses may wait for an answer of the person. Beyond that they stay with the relay, whose
/// queue then fills, until some were answered; the relay holds back their makers.
public struct RequestLimits: Equatable, Sendable {
    /// At one address.
    package var waitingPerAddress = 50
    /// At all addresses.
    public var waiting = 100

    /// The usual limits.
    public init() {}
}
