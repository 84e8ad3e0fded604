import BaseKit

/// Whether the network carries too little for the camera's pictures, and has for a while.
package struct PictureStarvation: Sendable, Equatable {
    /// Bits a second, of all that is sent, below which there are none worth the name besides the sound, and above which there are again.
    static let least = 120_000, enough = 160_000
    /// How long it has to be so.
    static let patience = (begin: Duration.seconds(2), end: Duration.seconds(1))

    /// Whether it is so.
    package private(set) var isStarved = false
    private var since: Instant?

    package init() {}

    /// `target` is what may be sent now; 0 is not known.
    package mutating func update(target: Int, now: Instant) {
        let isOther = isStarved ? target >= Self.enough || target == 0 : target > 0 && target < Self.least
        guard isOther else {
            since = nil
            return
        }
        let began = since ?? now
        since = began
        guard now - began >= (isStarved ? Self.patience.end : Self.patience.begin) else { return }
        isStarved.toggle()
        since = nil
    }
}
