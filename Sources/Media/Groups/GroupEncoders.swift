import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// The own encoders of a group call: each source is encoded once and sealed once, whoever gets it.
final class GroupEncoders: Sendable {
    /// Where captured frames go in.
    let sources: [MediaSlot: Element]
    /// Keeps pictures within what all ways carry.
    let control: SendControl
    let rates: MeshRates
    private let chains: [MediaSlot: SealingChain]
    private let frames: [MediaSlot: SealedFrames]
    private let views = Mutex<[Int: PictureSize?]>([:])
    private static let made = Atomic(0)

    /// Builds the encoders in `pipeline`. Frames leave once their valves are open. Throws ``MediaError``.
    init(in pipeline: Element, keys: GroupKeys, counters: MediaCounters) throws(MediaError) {
        let gate = FrameProtection(.undecided)
        // Sealed whoever gets them: each transport has a gate of its own behind this.
        gate.open()
        let rates = MeshRates()
        self.rates = rates
        var (chains, frames) = ([MediaSlot: SealingChain](), [MediaSlot: SealedFrames]())
        for slot in MediaSlot.allCases {
            let bin = try Element.bin(
                "\(SealingChain.description(of: slot)) ! appsink name=sealed sync=false async=false max-buffers=20")
            let (chain, sealed) = (try SealingChain(in: bin, slot: slot), SealedFrames())
            FrameEncryptElement.gclass.peer(of: chain.protect).configure(
                slot: slot, gate: gate, sealing: GroupFrameSealer(keys: keys, stream: slot.groupStream),
                counters: counters)
            try bin.child("sealed").onSample { sealed.push($0) }
            pipeline.add(bin)
            (chains[slot], frames[slot]) = (chain, sealed)
        }
        guard let camera = chains[.camera] else { throw .pipeline("no encoder") }
        control = try camera.control(by: LowestRate(rates: rates), pacing: Pacing())
        chains[.microphone]?.follow(control)
        try chains[.screen]?.share(with: control)
        (self.chains, self.frames) = (chains, frames)
        sources = chains.mapValues(\.source)
    }

    /// Encodes what is captured of these, and nothing else.
    func setOpen(_ lines: Set<MediaSlot>) { for (slot, chain) in chains { chain.setOpen(lines.contains(slot)) } }

    /// Lets frames of one source go by a way too.
    func connect(_ outlet: SealedOutlet, of slot: MediaSlot, way: Int) { frames[slot]?.connect(outlet, way: way) }

    /// Nothing goes by this way any more.
    func disconnect(way: Int) {
        for sealed in frames.values { sealed.disconnect(way: way) }
        rates.remove(way)
        views.withLock { _ = $0.removeValue(forKey: way) }
        followViews()
    }

    /// A member shows the camera's pictures in this size; nil: it does not say. The largest counts.
    func setView(_ size: PictureSize?, way: Int) {
        let isNew = views.withLock { views in
            defer { views[way] = .some(size) }
            return views[way] != .some(size)
        }
        if isNew { followViews() }
    }

    private func followViews() {
        let largest = views.withLock { views -> PictureSize? in
            let sizes = views.values.compactMap(\.self)
            return sizes.count == views.count ? sizes.max { $0.pixels < $1.pixels } : nil
        }
        control.setView(largest)
    }
}

/// What all ways carry, as their streaming threads tell.
final class MeshRates: Sendable {
    private struct State: Sendable {
        var rates = GroupRates()
        var pacings: [Int: Pacing] = [:]
    }

    private let state = Mutex(State())

    /// Adds a way whose packets `pacing` spreads.
    func add(_ way: Int, pacing: Pacing, former: Int?) {
        state.withLock { state in
            state.rates.add(way, former: former)
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

    func setHeard(_ isHeard: Bool, _ way: Int) { state.withLock { $0.rates.setHeard(isHeard, way) } }

    /// Bits a second that may be sent by a way, and that were well on it.
    func bitrate(of way: Int) -> Int? { state.withLock { $0.rates.bitrate(of: way) } }
    func good(of way: Int) -> Int? { state.withLock { $0.rates.good(of: way) } }

    fileprivate func read<Value: Sendable>(_ body: (GroupRates) -> Value) -> Value { state.withLock { body($0.rates) } }

    fileprivate func limit(to bitrate: Int) {
        let ways = state.withLock { state in
            state.rates.limit(to: bitrate)
            return Array(state.pacings.keys)
        }
        for way in ways { follow(way) }
    }

    private func follow(_ way: Int) {
        let (pacing, rate) = state.withLock { ($0.pacings[way], $0.rates.pacingRate(of: way)) }
        if let rate { pacing?.setRate(rate) }
    }
}

/// What one encoder for all ways may make. Each way takes its own feedback.
private struct LowestRate: BandwidthController {
    let rates: MeshRates

    var target: BandwidthTarget { rates.read { $0.target } }
    var loss: Double { rates.read { $0.loss } }
    var good: Int { rates.read { $0.good } }

    mutating func receive(_ packets: [PacketReport], now: Instant) {}
    mutating func limit(to bitrate: Int) { rates.limit(to: bitrate) }
    mutating func missFeedback(now: Instant) {}
    mutating func resume(now: Instant) {}
}
