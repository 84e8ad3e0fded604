import MediaRules

/// Between whom a transport is.
enum TransportUse: Sendable {
    /// Two people: all lines, both ways.
    case pair
    /// Us and a forwarding server that takes our sound and pictures.
    case publishing
    /// A forwarding server that sends what one feed has, and us.
    case feed

    /// The m-lines that we offer, or take of an offer. Over a server a screen goes in the camera's place, its sound beside the voice.
    var slots: [MediaSlot] { self == .pair ? MediaSlot.allCases : [.microphone, .camera, .screenSound] }
}

/// What a call's transports may use, and how long they wait.
struct TransportOptions: Sendable {
    /// Between whom it is.
    var use = TransportUse.pair
    /// Whether only relayed candidates are used and shown.
    var relayOnly: Bool
    /// Whether candidates of this machine's loopback interface are accepted from the peer.
    var allowsLoopback: Bool
    /// Whether the peer is offered tones, and its offer of them taken.
    var offersTones = false
    /// Milliseconds that the jitter buffer may wait for a missing packet at first.
    var jitterLatency: Int
}
