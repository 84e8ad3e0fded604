import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// The own encoders of a group call: each source is encoded once and sealed once, whoever gets it; the camera, or the screen in its place,
/// once more in each smaller size (``SmallerPictures``), while somebody's way takes it.
final class GroupEncoders: Sendable {
    private struct State: Sendable {
        var views: [Int: PictureSize?] = [:]
        /// Where the camera's pictures leave, by way.
        var cameras: [Int: SealedOutlet] = [:]
        var open: Set<MediaSlot> = []
        /// Whether large pictures are wanted where all sizes go.
        var isLargeWanted = false
        var isScreenShared = false

        var wantsLarge: Bool { isLargeWanted || isScreenShared }
    }

    /// Where captured frames go in.
    let sources: [MediaSlot: Element]
    let rates: MeshRates
    /// Keeps the large pictures within what all ways carry that take them.
    private let control: SendControl
    private let chains: [MediaSlot: SealingChain]
    private let camera: SealingChain
    private let frames: [MediaSlot: SealedFrames]
    private let smaller: [SmallerPictures]
    private let state = Lock(State())

    /// Builds the encoders in `pipeline`. Frames leave once their valves are open. Throws ``MediaError``.
    init(in pipeline: Element, keys: GroupKeys, counters: MediaCounters) throws(MediaError) {
        let gate = FrameProtection(.undecided)
        // Sealed whoever gets them: each transport has a gate of its own behind this.
        gate.open()
        let rates = MeshRates()
        self.rates = rates
        func chain(_ slot: MediaSlot, _ stream: GroupStream, to sealed: SealedFrames) throws(MediaError) -> SealingChain
        {
            let encoding = SealingChain.description(of: slot, hardware: stream == slot.groupStream)
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
        for slot in [MediaSlot.microphone, .camera, .screenSound] {
            let sealed = SealedFrames()
            (chains[slot], frames[slot]) = (try chain(slot, slot.groupStream, to: sealed), sealed)
        }
        guard let camera = chains[.camera] else { throw .pipeline("no encoder") }
        let control = try camera.control(by: LowestRate(rates: rates, layer: .high), pacing: Pacing())
        chains[.microphone]?.follow(control)
        var smaller: [SmallerPictures] = []
        for (layer, stream) in [(PictureLayer.low, GroupStream.low), (.lowest, .lowest)] {
            let sealed = SealedFrames()
            smaller.append(
                try SmallerPictures(layer, by: try chain(.camera, stream, to: sealed), frames: sealed, rates: rates))
        }
        sources = chains.mapValues(\.source)
        chains[.camera] = nil
        (self.chains, self.camera, self.frames, self.control, self.smaller) = (chains, camera, frames, control, smaller)
        _ = rates.setLargeWanted(false)
        camera.source.pad("src")?.onBuffer { [smaller] pad, buffer in
            for pictures in smaller { pictures.receive(buffer, from: pad) }
        }
    }

    /// Encodes what is captured of these, and nothing else.
    func setOpen(_ lines: Set<MediaSlot>, _ shares: SendShares) {
        let isLargeWanted = state.withLock { state in
            (state.open, state.isScreenShared) = (lines, shares.isScreenInCamerasPlace)
            return state.wantsLarge
        }
        for (slot, chain) in chains { chain.setOpen(lines.contains(slot)) }
        rates.setScreenSound(shares.hasScreenSound)
        for control in controls { control.setShares(shares) }
        for pictures in smaller { pictures.setSize(isScreen: shares.isScreenInCamerasPlace) }
        connectLarge(rates.setLargeWanted(isLargeWanted))
        openPictures()
    }

    /// Whether anybody wants large pictures of the camera by a way that takes all sizes. Those of a screen are there to be read: they go in
    /// any case.
    func setLargeWanted(_ isWanted: Bool) {
        let isWanted = state.withLock { state in
            state.isLargeWanted = isWanted
            return state.wantsLarge
        }
        connectLarge(rates.setLargeWanted(isWanted))
    }

    /// Large pictures go by these ways, or no more; nothing else changes there.
    private func connectLarge(_ changed: Set<Int>) {
        guard !changed.isEmpty else { return }
        followViews()
        openPictures()
        for way in changed { connectLargest(way) }
    }

    /// Lets what leaves at a way's outlet for large pictures begin anew.
    private func connectLargest(_ way: Int) {
        guard let outlet = state.withLock({ $0.cameras[way] }) else { return }
        frames[.camera]?.disconnect(way: way)
        guard let taken = frames(of: .camera, way) else { return }
        taken.connect(outlet, way: way)
        outlet.restart()
    }

    private var controls: [SendControl] { [control] + smaller.map(\.control) }

    /// Pictures that nobody takes are not made.
    private func openPictures() {
        let isOpen = state.withLock { $0.open.contains(.camera) }
        for pictures in smaller { pictures.setOpen(isOpen && !rates.ways(of: pictures.layer).isEmpty) }
        camera.setOpen(isOpen && !rates.ways(of: .high).isEmpty)
    }

    /// Lets frames of one source go by a way too.
    func connect(_ outlet: SealedOutlet, of slot: MediaSlot, way: Int) {
        if slot == .camera { state.withLock { $0.cameras[way] = outlet } }
        frames(of: slot, way)?.connect(outlet, way: way)
    }

    /// Lets the camera's pictures of a smaller size go by a way that takes all.
    func connect(_ outlet: SealedOutlet, of layer: PictureLayer, way: Int) {
        for pictures in smaller where pictures.layer == layer { pictures.connect(outlet, way: way) }
        openPictures()
    }

    /// What leaves at a way's outlet; nil while nothing does.
    private func frames(of slot: MediaSlot, _ way: Int) -> SealedFrames? {
        guard slot == .camera, let layer = rates.layer(of: way), layer != .high else { return frames[slot] }
        return rates.takesAll(way) ? nil : smaller.first { $0.layer == layer }?.frames
    }

    /// Nothing goes by this way any more.
    func disconnect(way: Int) {
        for sealed in frames.values { sealed.disconnect(way: way) }
        for pictures in smaller { pictures.disconnect(way: way) }
        rates.remove(way)
        state.withLock { ($0.views[way], $0.cameras[way]) = (nil, nil) }
        openPictures()
        followViews()
    }

    /// Time has passed. Some ways may be given other pictures.
    func poll(now: Instant) {
        for control in controls { control.poll(now: now) }
        let (fallen, changed) = rates.poll(now: now)
        for way in fallen {
            if !changed.contains(way) { state.withLock { $0.cameras[way] }?.restart() }
            for pictures in smaller { pictures.restart(way: way) }
        }
        guard !changed.isEmpty else { return }
        openPictures()
        for way in changed {
            if rates.takesAll(way) {
                for pictures in smaller { pictures.setTaken(rates.ways(of: pictures.layer).contains(way), by: way) }
            } else {
                for pictures in smaller { pictures.frames.disconnect(way: way) }
            }
            connectLargest(way)
        }
        followViews()
    }

    /// Somebody can't show pictures before a key frame.
    func needKeyFrame(by way: Int) { needKeyFrame(of: rates.layer(of: way) ?? .high) }

    /// The same of a layer alone.
    func needKeyFrame(of layer: PictureLayer) {
        let pictures = smaller.first { $0.layer == layer }
        (pictures?.control ?? control).needKeyFrame()
    }

    /// Nothing waits any more: the call ends.
    func close() { for control in controls { control.close() } }

    /// A member shows the camera's pictures in this size; nil: it does not say. The largest counts.
    func setView(_ size: PictureSize?, way: Int) {
        let isNew = state.withLock { state in
            defer { state.views[way] = .some(size) }
            return state.views[way] != .some(size)
        }
        if isNew { followViews() }
    }

    /// The voice is encoded by no better step than this one from now on, from 0.
    func limitSound(to step: Int) { for control in controls { control.limitSound(to: step) } }

    private func followViews() {
        let ways = rates.ways(of: .high)
        let largest = state.withLock { state -> PictureSize? in
            // Where none go now they may go anywhere next.
            let views = state.views.filter { ways.isEmpty || ways.contains($0.key) }.values
            let sizes = views.compactMap(\.self)
            return sizes.count == views.count ? sizes.max { $0.pixels < $1.pixels } : nil
        }
        control.setView(largest)
    }
}
