/// How much of what is sent arrives: rate and loss over a sliding window.
struct ArrivalRate: Sendable, Equatable {
    /// Milliseconds of the window for the rate (draft-ietf-rmcat-gcc-02 §5.5 takes 0.5 to 1 s) and for the loss.
    static let window: Int64 = 500, lossWindow: Int64 = 1_000

    private struct Batch: Sendable, Equatable {
        var time: Int64
        var bits = 0
        var arrived = 0
        var lost = 0
    }

    private var batches: [Batch] = []
    private var began: Int64?

    /// Takes the reports of one feedback packet. `now` in milliseconds.
    mutating func add(_ packets: [PacketReport], now: Int64) {
        began = began ?? now
        var batch = Batch(time: now)
        for packet in packets {
            if packet.arrivedAt == nil {
                batch.lost += 1
            } else {
                batch.arrived += 1
                batch.bits += packet.size * 8
            }
        }
        batches.append(batch)
        batches.removeAll { now - $0.time >= Self.lossWindow }
    }

    /// Bits a second that arrived; nil while the window is not full.
    func bitrate(now: Int64) -> Int? {
        guard let began, now - began >= Self.window else { return nil }
        let bits = batches.reduce(0) { now - $1.time < Self.window ? $0 + $1.bits : $0 }
        return bits * 1_000 / Int(Self.window)
    }

    /// Part of the packets that was lost, 0…1; nil for too few packets to say.
    var loss: Double? {
        let lost = batches.reduce(0) { $0 + $1.lost }
        let all = batches.reduce(lost) { $0 + $1.arrived }
        return all >= 20 ? Double(lost) / Double(all) : nil
    }
}
