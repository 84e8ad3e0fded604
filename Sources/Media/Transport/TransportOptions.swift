/// What a call's transports may use, and how long they wait.
struct TransportOptions: Sendable {
    /// Whether only relayed candidates are used and shown.
    var relayOnly: Bool
    /// Whether candidates of this machine's loopback interface are accepted from the peer.
    var allowsLoopback: Bool
    /// Milliseconds that the jitter buffer may wait for a missing packet at first.
    var jitterLatency: Int
}
