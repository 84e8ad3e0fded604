import BaseKit
import MediaRules

/// What all ways carry, as their streaming threads tell.
final class MeshRates: Sendable {
    private struct State: Sendable {
        var rates = GroupRates()
        var pacings: [Int: Pacing] = [:]
    }

    private let state = Lock(State())

    /// Adds a way whose packets `pacing` spreads.
    func add(_ way: Int, pacing: Pacing, former: Int?, takesAll: Bool = false) {
        state.withLock { state in
            state.rates.add(way, former: former, takesAll: takesAll)
            state.pacings[way] = pacing
        }
        follow(way)
    }

    func remove(_ way: Int) {
        let pacing = state.withLock { state in
            state.rates.remove(way)
            return state.pacings.removeValue(forKey: way)
        }
        pacing?.setRate(nil)
    }

    func receive(_ packets: [PacketReport], by way: Int) {
        let now = Instant.now
        state.withLock { $0.rates.receive(packets, by: way, now: now) }
        follow(way)
    }

    func expectFeedback(_ way: Int) { state.withLock { $0.rates.expectFeedback(way) } }

    func setHeard(_ isHeard: Bool, _ way: Int) { state.withLock { $0.rates.setHeard(isHeard, way) } }

    /// A picture has left by a way.
    func sent(by way: Int) {
        let now = Instant.now
        state.withLock { $0.rates.sent(by: way, now: now) }
    }

    /// Time has passed; the ways whose waiting pictures are let go, and which of them are given pictures of another layer than before.
    func poll(now: Instant) -> (fallen: Set<Int>, changed: Set<Int>) {
        let (pacings, fallen, changed) = state.withLock { state in
            let fallen = state.rates.poll(now: now)
            return (state.pacings, fallen, state.rates.chooseLayers(now: now))
        }
        for (way, pacing) in pacings {
            follow(way)
            if fallen.contains(way) || changed.contains(way) { pacing.dropWaiting() }
        }
        return (fallen, changed)
    }

    /// Whether a screen's sound is sent.
    func setScreenSound(_ isSent: Bool) { state.withLock { $0.rates.hasScreenSound = isSent } }

    /// Whether anybody wants large pictures by the ways that take all; the ways by which others go than before.
    func setLargeWanted(_ isWanted: Bool) -> Set<Int> {
        let now = Instant.now
        let changed = state.withLock { $0.rates.setLargeWanted(isWanted, now: now) }
        for way in changed { follow(way) }
        return changed
    }

    func layer(of way: Int) -> PictureLayer? { state.withLock { $0.rates.layer(of: way) } }
    /// Whether all smaller pictures go by a way besides the large ones.
    func takesAll(_ way: Int) -> Bool { state.withLock { $0.rates.takesAll(way) } }
    func ways(of layer: PictureLayer) -> Set<Int> { state.withLock { $0.rates.ways(of: layer) } }

    /// Bits a second that may be sent by a way, and that were well on it.
    func bitrate(of way: Int) -> Int? { state.withLock { $0.rates.bitrate(of: way) } }
    func good(of way: Int) -> Int? { state.withLock { $0.rates.good(of: way) } }

    fileprivate func read<Value: Sendable>(_ body: (GroupRates) -> Value) -> Value { state.withLock { body($0.rates) } }

    fileprivate func limit(to bitrate: Int, of layer: PictureLayer) {
        let ways = state.withLock { state in
            state.rates.limit(to: bitrate, of: layer)
            return Array(state.pacings.keys)
        }
        for way in ways { follow(way) }
    }

    private func follow(_ way: Int) {
        let (pacing, rate) = state.withLock { ($0.pacings[way], $0.rates.pacingRate(of: way)) }
        if let rate { pacing?.setRate(rate) }
    }
}

/// What one encoder for all ways that take its pictures may make. Each way takes its own feedback.
struct LowestRate: BandwidthController {
    let rates: MeshRates
    let layer: PictureLayer

    var target: BandwidthTarget { rates.read { $0.target(of: layer) } }
    /// Sound goes by all ways, and its encoder listens to the large pictures' control.
    var loss: Double { rates.read { layer == .high ? $0.loss : $0.loss(of: layer) } }
    var good: Int { rates.read { $0.good(of: layer) } }
    var narrowest: Int { rates.read(\.narrowest) }
    var congestion: Congestion? { rates.read(\.congestion) }
    var hearsElsewhere: Bool { true }

    /// The voice's encoder listens to the large pictures' control, also while smaller ones alone leave.
    func sendsElsewhere(now: Instant) -> Bool { layer == .high && rates.read { $0.isSending(now: now) } }

    mutating func receive(_ packets: [PacketReport], now: Instant) {}
    mutating func limit(to bitrate: Int) { rates.limit(to: bitrate, of: layer) }
    mutating func missFeedback(now: Instant) {}
    mutating func resume(now: Instant) {}
}
