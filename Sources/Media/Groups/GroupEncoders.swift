import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// The own encoders of a group call: each source is encoded once and sealed once, whoever gets it; the camera, or the screen in its place,
/// once more in small, while somebody's way carries no more.
final class GroupEncoders: Sendable {
    /// The size of small pictures, and that of those of a screen, which are to be read.
    static let small = PictureSize(width: 320, height: 240), smallScreen = PictureSize(width: 640, height: 360)
    /// How long small pictures for a server go without a key frame. Janus 1.1.2 passes nothing of a size on before a key frame of it, and
    /// asks for one once: where that is lost, and somebody gets small ones for want of large ones, that one would see nothing for good.
    static let regularKeyFrames = Duration.seconds(3)

    private struct State: Sendable {
        var views: [Int: PictureSize?] = [:]
        /// Where the camera's pictures leave, by way.
        var cameras: [Int: SealedOutlet] = [:]
        /// Where small pictures leave, by way, which takes large ones besides.
        var smallCameras: [Int: SealedOutlet] = [:]
        var open: Set<MediaSlot> = []
    }

    /// Where captured frames go in.
    let sources: [MediaSlot: Element]
    let rates: MeshRates
    /// Keeps pictures of each layer within what all ways carry that take them.
    private let controls: [PictureLayer: SendControl]
    private let chains: [MediaSlot: SealingChain]
    private let smallChain: SealingChain
    private let frames: [MediaSlot: SealedFrames]
    private let smallFrames = SealedFrames()
    private let takesSmall = Atomic(false)
    private let state = Mutex(State())

    /// Builds the encoders in `pipeline`. Frames leave once their valves are open. Throws ``MediaError``.
    init(in pipeline: Element, keys: GroupKeys, counters: MediaCounters) throws(MediaError) {
        let gate = FrameProtection(.undecided)
        // Sealed whoever gets them: each transport has a gate of its own behind this.
        gate.open()
        let rates = MeshRates()
        self.rates = rates
        func chain(_ slot: MediaSlot, _ stream: GroupStream, to sealed: SealedFrames) throws(MediaError) -> SealingChain
        {
            let encoding = SealingChain.description(of: slot, hardware: stream != .low)
            let bin = try Element.bin(
                "\(encoding) ! appsink name=sealed sync=false async=false max-buffers=20")
            let chain = try SealingChain(in: bin, slot: slot)
            FrameEncryptElement.gclass.peer(of: chain.protect).configure(
                slot: slot, gate: gate, sealing: GroupFrameSealer(keys: keys, stream: stream), counters: counters)
            try bin.child("sealed").onSample { sealed.push($0) }
            pipeline.add(bin)
            return chain
        }
        var (chains, frames) = ([MediaSlot: SealingChain](), [MediaSlot: SealedFrames]())
        for slot in [MediaSlot.microphone, .camera] {
            let sealed = SealedFrames()
            (chains[slot], frames[slot]) = (try chain(slot, slot.groupStream, to: sealed), sealed)
        }
        guard let camera = chains[.camera] else { throw .pipeline("no encoder") }
        smallChain = try chain(.camera, .low, to: smallFrames)
        let control = try camera.control(by: LowestRate(rates: rates, layer: .high), pacing: Pacing())
        let smallControl = try smallChain.control(by: LowestRate(rates: rates, layer: .low), pacing: Pacing())
        smallControl.setView(Self.small)
        chains[.microphone]?.follow(control)
        (self.chains, self.frames) = (chains, frames)
        controls = [.high: control, .low: smallControl]
        sources = chains.mapValues(\.source)
        camera.source.pad("src")?.onBuffer { [weak self, small = smallChain.source] pad, buffer in
            guard let self, takesSmall.load(ordering: .relaxed), let copy = gst_buffer_copy(buffer),
                let caps = gst_pad_get_current_caps(pad)
            else { return }
            small.setSourceFormat(caps)
            gst_caps_unref(caps)
            gst_app_src_push_buffer(small.pointer(), copy)
        }
    }

    /// Encodes what is captured of these, and nothing else.
    func setOpen(_ lines: Set<MediaSlot>, _ shares: SendShares) {
        state.withLock { $0.open = lines }
        for (slot, chain) in chains { chain.setOpen(lines.contains(slot)) }
        for control in controls.values { control.setShares(shares) }
        controls[.low]?.setView(shares.isScreenInCamerasPlace ? Self.smallScreen : Self.small)
        openSmall()
    }

    /// Pictures that nobody takes are not made.
    private func openSmall() {
        let isOpen = state.withLock { $0.open.contains(.camera) } && !rates.ways(of: .low).isEmpty
        takesSmall.store(isOpen, ordering: .relaxed)
        smallChain.setOpen(isOpen)
    }

    /// Lets frames of one source go by a way too.
    func connect(_ outlet: SealedOutlet, of slot: MediaSlot, way: Int) {
        if slot == .camera { state.withLock { $0.cameras[way] = outlet } }
        frames(of: slot, way)?.connect(outlet, way: way)
    }

    /// Lets small pictures of the camera go by a way that takes both.
    func connect(small outlet: SealedOutlet, way: Int) {
        state.withLock { $0.smallCameras[way] = outlet }
        controls[.low]?.setRegularKeyFrames(Self.regularKeyFrames)
        smallFrames.connect(outlet, way: way)
        openSmall()
    }

    /// What leaves at a way's outlet; nil while nothing does.
    private func frames(of slot: MediaSlot, _ way: Int) -> SealedFrames? {
        guard slot == .camera, rates.layer(of: way) == .low else { return frames[slot] }
        return takesBoth(way) ? nil : smallFrames
    }

    private func takesBoth(_ way: Int) -> Bool { state.withLock { $0.smallCameras[way] != nil } }

    /// Nothing goes by this way any more.
    func disconnect(way: Int) {
        for sealed in Array(frames.values) + [smallFrames] { sealed.disconnect(way: way) }
        rates.remove(way)
        let isForServer = state.withLock { state in
            state.views[way] = nil
            (state.cameras[way], state.smallCameras[way]) = (nil, nil)
            return !state.smallCameras.isEmpty
        }
        if !isForServer { controls[.low]?.setRegularKeyFrames(nil) }
        openSmall()
        followViews()
    }

    /// Time has passed. Some ways may be given other pictures.
    func poll(now: Instant) {
        for control in controls.values { control.poll(now: now) }
        let (fallen, changed) = rates.poll(now: now)
        for way in fallen {
            let (large, small) = state.withLock { ($0.cameras[way], $0.smallCameras[way]) }
            if !changed.contains(way) { large?.restart() }
            small?.restart()
        }
        guard !changed.isEmpty else { return }
        openSmall()
        for way in changed {
            guard let outlet = state.withLock({ $0.cameras[way] }) else { continue }
            let taken = frames(of: .camera, way)
            let others = takesBoth(way) ? [frames[.camera]] : [frames[.camera], smallFrames]
            for sealed in others where sealed !== taken { sealed?.disconnect(way: way) }
            taken?.connect(outlet, way: way)
            if taken != nil { outlet.restart() }
        }
        followViews()
    }

    /// Somebody can't show pictures before a key frame.
    func needKeyFrame(by way: Int) { controls[rates.layer(of: way) ?? .high]?.needKeyFrame() }

    /// The same of a layer alone.
    func needKeyFrame(of layer: PictureLayer) { controls[layer]?.needKeyFrame() }

    /// Nobody has had pictures for a while.
    func needKeyFrames() { for control in controls.values { control.needKeyFrame() } }

    /// Nothing waits any more: the call ends.
    func close() { for control in controls.values { control.close() } }

    /// A member shows the camera's pictures in this size; nil: it does not say. The largest counts.
    func setView(_ size: PictureSize?, way: Int) {
        let isNew = state.withLock { state in
            defer { state.views[way] = .some(size) }
            return state.views[way] != .some(size)
        }
        if isNew { followViews() }
    }

    /// The voice is encoded by no better step than this one from now on, from 0.
    func limitSound(to step: Int) { for control in controls.values { control.limitSound(to: step) } }

    private func followViews() {
        let ways = rates.ways(of: .high)
        let largest = state.withLock { state -> PictureSize? in
            let views = state.views.filter { ways.contains($0.key) }.values
            let sizes = views.compactMap(\.self)
            return sizes.count == views.count ? sizes.max { $0.pixels < $1.pixels } : nil
        }
        controls[.high]?.setView(largest)
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
    func add(_ way: Int, pacing: Pacing, former: Int?, takesBoth: Bool = false) {
        state.withLock { state in
            state.rates.add(way, former: former, takesBoth: takesBoth)
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

    func layer(of way: Int) -> PictureLayer? { state.withLock { $0.rates.layer(of: way) } }
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
private struct LowestRate: BandwidthController {
    let rates: MeshRates
    let layer: PictureLayer

    var target: BandwidthTarget { rates.read { $0.target(of: layer) } }
    /// Sound goes by all ways, and its encoder listens to the large pictures' control.
    var loss: Double { rates.read { layer == .high ? $0.loss : $0.loss(of: layer) } }
    var good: Int { rates.read { $0.good(of: layer) } }
    var narrowest: Int { rates.read(\.narrowest) }
    var congestion: Congestion? { rates.read(\.congestion) }
    var hearsElsewhere: Bool { true }

    mutating func receive(_ packets: [PacketReport], now: Instant) {}
    mutating func limit(to bitrate: Int) { rates.limit(to: bitrate, of: layer) }
    mutating func missFeedback(now: Instant) {}
    mutating func resume(now: Instant) {}
}
