import MediaRules

/// What one transport sends, an m-line each.
protocol TransportSenders: Sendable {
    /// The ways of what is captured for this transport alone; none where frames come encoded and sealed.
    var chains: [MediaSlot: SendChain] { get }
    /// The sources in our description.
    var sources: Set<UInt32> { get }
    /// That of the microphone.
    var voice: UInt32? { get }

    /// Adds the ways of these m-lines, also of those on which nothing is sent yet. `formerRate` is what was well on the transport before,
    /// in bits a second.
    mutating func add(_ labels: [MediaLabel], to parts: TransportParts, formerRate: Int?) throws(MediaError)
    /// The peer is to tell of packets what becomes of them.
    func expectFeedback()
    /// Takes what the peer tells of packets that were sent.
    func receive(_ feedback: [PacketReport])
    /// The peer shows the camera's pictures in this size; nil: it does not say.
    func setView(_ size: PictureSize?)
    /// The peer shows the screen beside the camera in this size; nil: it does not say.
    func setScreenView(_ size: PictureSize?)
    /// Lets nothing through any more.
    func shut()
    /// Lets go of all.
    mutating func close()
}

extension TransportSenders {
    /// Of no interest where a screen is sent in the camera's place.
    func setScreenView(_ size: PictureSize?) {}
}
