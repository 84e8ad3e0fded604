/// How many requests at contact addresses may wait for an answer of the person. Beyond that they stay with the relay, whose
/// queue then fills, until some were answered; the relay holds back their makers.
struct RequestLimits: Equatable, Sendable {
    /// At one address.
    var waitingPerAddress = 50
    /// At all addresses.
    var waiting = 100

    /// The usual limits.
    init() {}
}
