import BaseKit

/// How much of what is sent arrives: rate and loss over a sliding window.
struct ArrivalRate: Sendable, Equatable {
    /// The window for the rate (draft-ietf-rmcat-gcc-02 §5.5 takes 0.5 to 1 s) and for the loss.
    static let window: Duration = .milliseconds(500), lossWindow: Duration = .seconds(1)
    /// The window for the loss where less than the fewest packets that say something come in that one: a voice in long pieces.
    static let longLossWindow: Duration = .seconds(2), fewest = 20

    private struct Batch: Sendable, Equatable {
        var time: Instant
        var bits = 0
        var arrived = 0
        var lost = 0
    }

    private var batches: [Batch] = []
    private var began: Instant?

    /// Takes the reports of one feedback packet.
    mutating func add(_ packets: [PacketReport], now: Instant) {
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
        batches.removeAll { now - $0.time >= Self.longLossWindow }
    }

    /// Bits a second that arrived; nil while the window is not full.
    func bitrate(now: Instant) -> Int? {
        guard let began, now - began >= Self.window else { return nil }
        let bits = batches.reduce(0) { now - $1.time < Self.window ? $0 + $1.bits : $0 }
        return Int(Double(bits) / Self.window.inSeconds)
    }

    /// Part of the packets that was lost, 0…1; nil for too few packets to say.
    var loss: Double? {
        guard let newest = batches.last?.time else { return nil }
        let late = batches.filter { newest - $0.time < Self.lossWindow }
        return Self.loss(of: late) ?? Self.loss(of: batches)
    }

    private static func loss(of batches: [Batch]) -> Double? {
        let lost = batches.reduce(0) { $0 + $1.lost }
        let all = batches.reduce(lost) { $0 + $1.arrived }
        return all >= fewest ? Double(lost) / Double(all) : nil
    }
}
