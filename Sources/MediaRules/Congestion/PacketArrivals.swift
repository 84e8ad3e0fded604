/// How the packets of a call came lately.
package struct PacketArrivals: Sendable, Equatable {
    /// Milliseconds by which nearly all pictures come later than the quickest of theirs, and by which all sound does. Nil while none comes.
    package var pictures: Int?, sound: Int?
    /// Milliseconds of sound in a packet, the last that came; 0 before.
    package var packet = 0
    /// Whether packets were missing since the last time.
    package var areSomeMissing = false

    /// What is known.
    package init(pictures: Int? = nil, sound: Int? = nil, packet: Int = 0, areSomeMissing: Bool = false) {
        (self.pictures, self.sound, self.packet, self.areSomeMissing) = (pictures, sound, packet, areSomeMissing)
    }
}
