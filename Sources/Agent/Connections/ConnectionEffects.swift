import SMP

/// What has to happen after a step of a connection is on disk.
struct ConnectionEffects: Sendable {
    /// What may leave now.
    var gate = DeliveryMachine.Gate.closed
    /// Messages that were queued.
    var entries: [DeliveryMachine.Entry] = []
    /// What to ask relays next.
    var relaySteps: [HandshakeMachine.RelayStep] = []
    /// What to ask relays next for a queue that moves.
    var rotationSteps: [RotationMachine.RelayStep] = []
    /// What to tell the application, in order.
    var events: [AgentEvent] = []
    /// Whether the peer asks to go on sending.
    var isContinued = false
    /// The relay of the queue to send to, if the peer has named one, or another one.
    var newSendRelay: RelayAddress?
    /// Whether the ratchet can't go on without new keys.
    var needsSynchronisation = false
    /// Whether the ratchet is another one than before.
    var hasMovedRatchet = false
    /// Whether nothing will ever leave any more.
    var endsDelivery = false
}
