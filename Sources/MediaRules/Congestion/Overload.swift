import BaseKit

/// Whether a link has become so narrow that most of what is sent is lost, and how much it still carries.
///
/// A queue that is full at once has no gradient, and losses alone say little of the rate. What comes through it tells the rate exactly:
/// it comes as fast as the link lets it.
struct Overload: Sendable, Equatable {
    /// How long reports count, the part of packets that is lost, and how long those waited that came.
    static let window: Duration = .milliseconds(300), lost = 0.3, waited: Duration = .milliseconds(60)
    /// Fewest packets, and fewest of those that came, that say something; over how long they came at least.
    static let fewest = 20, fewestArrived = 5, span: Duration = .milliseconds(40)

    private struct Batch: Sendable, Equatable {
        var time: Instant
        var packets: [PacketReport]
    }

    private var batches: [Batch] = []

    /// Takes reports; gives the bits a second that come through where most is lost. `base` as in ``ProbeCluster/result(base:)``.
    mutating func receive(_ packets: [PacketReport], base: Duration?, now: Instant) -> Int? {
        batches.append(Batch(time: now, packets: packets))
        batches.removeAll { now - $0.time > Self.window }
        guard let base else { return nil }
        func waited(_ packet: PacketReport) -> Bool {
            packet.arrivedAt.map { $0 - packet.sentAt.sinceStart - base >= Self.waited } ?? false
        }
        let all = batches.flatMap(\.packets)
        guard let begin = all.filter(waited).map(\.sentAt).min() else { return nil }
        let since = all.filter { $0.sentAt >= begin }
        let came = since.filter(waited).sorted { ($0.arrivedAt ?? .zero) < ($1.arrivedAt ?? .zero) }
        let missing = since.count { $0.arrivedAt == nil }
        guard since.count >= Self.fewest, came.count >= Self.fewestArrived,
            Double(missing) >= Self.lost * Double(since.count), let first = came.first?.arrivedAt,
            let last = came.last?.arrivedAt, last - first >= Self.span
        else { return nil }
        let bits = came.dropFirst().reduce(0) { $0 + $1.size * 8 }
        return Int(Double(bits) / (last - first).inSeconds)
    }
}
