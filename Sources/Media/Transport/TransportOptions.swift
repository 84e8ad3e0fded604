/// What a call's transports may use, and how long they wait.
struct TransportOptions: Sendable {
    /// Whether only relayed candidates are used and shown.
    var relayOnly: Bool
    /// Whether candidates of this machine's loopback interface are accepted from the peer.
    var allowsLoopback: Bool
    /// Whether the peer is offered tones, and its offer of them taken.
    var offersTones = false
    /// Milliseconds that the jitter buffer may wait for a missing packet at first.
    var jitterLatency: Int
}
