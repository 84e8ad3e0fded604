/// Which counters of one stream have been accepted: each once, and none that is too far behind the newest.
struct ReplayWindow: Sendable, Equatable {
    /// How many counters it looks back, the newest included.
    static let size: UInt32 = 128

    private var newest: UInt32?
    /// The bit of value 1 stands for the newest, the next one for the counter before it, and so on.
    private var seen: UInt128 = 0

    init() {}

    /// Whether a frame with this counter may be accepted.
    func admits(_ counter: UInt32) -> Bool {
        guard let newest, counter <= newest else { return true }
        let age = newest - counter
        return age < Self.size && seen & (1 << UInt128(age)) == 0
    }

    /// Whether a counter is too far behind to know whether it was accepted.
    func isBehind(_ counter: UInt32) -> Bool {
        newest.map { counter < $0 && $0 - counter >= Self.size } ?? false
    }

    /// A frame with this counter was accepted: only what is authentic may move the window.
    mutating func accept(_ counter: UInt32) {
        guard let newest else {
            (self.newest, seen) = (counter, 1)
            return
        }
        if counter > newest {
            let shift = counter - newest
            seen = shift < Self.size ? seen << UInt128(shift) | 1 : 1
            self.newest = counter
        } else if newest - counter < Self.size {
            seen |= 1 << UInt128(newest - counter)
        }
    }
}
