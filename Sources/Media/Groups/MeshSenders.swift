import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// Numbers for the ways by which members' frames go and come, each once.
enum GroupWays {
    private static let count = Atomic(0)

    static func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// What one transport of a group call sends: sealed frames, which come from the encoders that work for all.
final class MeshSenders: TransportSenders {
    private struct State: Sendable {
        var outlets: [MediaSlot: SealedOutlet] = [:]
        /// Those of the camera's smaller pictures, besides the large ones.
        var smaller: [PictureLayer: SealedOutlet] = [:]
        var sources: Set<UInt32> = []
        var voice: UInt32?
        var isOpen = false
    }

    /// The number by which the encoders know this way.
    let way: Int
    private let encoders: GroupEncoders
    private let counters: MediaCounters
    /// Whether the camera's pictures go in all sizes, for a forwarding server to choose from.
    private let takesAll: Bool
    private let pacing = Pacing()
    private let state = Lock(State())

    /// `counters` count what is sent to the member.
    init(encoders: GroupEncoders, counters: MediaCounters, takesAll: Bool = false) {
        (self.encoders, self.counters, self.takesAll) = (encoders, counters, takesAll)
        way = GroupWays.next()
    }

    var chains: [MediaSlot: SendChain] { [:] }
    var sources: Set<UInt32> { state.withLock { $0.sources } }
    var voice: UInt32? { state.withLock { $0.voice } }

    func add(_ labels: [MediaLabel], to parts: TransportParts, formerRate: Int?) throws(MediaError) {
        encoders.rates.add(way, pacing: pacing, former: formerRate, takesAll: takesAll)
        for label in labels {
            if takesAll, label.slot == .camera { try addAll(label, to: parts) } else { try add(label, to: parts) }
        }
    }

    private func add(_ label: MediaLabel, to parts: TransportParts) throws(MediaError) {
        let bin = try Element.bin(Self.description(of: label.slot.kind))
        let outlet = try outlet(in: bin, label: label, parts: parts)
        try parts.bin.addSender(bin, slot: label.slot)
        encoders.connect(outlet, of: label.slot, way: way)
    }

    /// Packets of all sizes go into one line of the description, by sources of their own.
    private func addAll(_ label: MediaLabel, to parts: TransportParts) throws(MediaError) {
        let layers = SentLayers(large: label.ssrc)
        let smaller = [(PictureLayer.low, layers.low.source), (.lowest, layers.lowest.source)]
        let branches = ([""] + smaller.map { Self.name(of: $0.0) }).map {
            Self.description(of: .video, name: $0) + " ! all."
        }
        let bin = try Element.bin("\(branches.joined(separator: " ")) funnel name=all ! capsfilter name=line")
        // What the line takes is asked through this; a funnel answers for none of its branches.
        try bin.child("line").setCaps(label.caps)
        let outlet = try outlet(in: bin, label: label, parts: parts)
        var outlets: [PictureLayer: SealedOutlet] = [:]
        for (layer, source) in smaller {
            outlets[layer] = try self.outlet(in: bin, label: label, smaller: (layer, source), parts: parts)
        }
        parts.send(layers)
        try parts.bin.addSender(bin, slot: label.slot)
        encoders.connect(outlet, of: label.slot, way: way)
        for (layer, outlet) in outlets { encoders.connect(outlet, of: layer, way: way) }
    }

    private static func name(of layer: PictureLayer) -> String { "\(layer)-" }

    /// From sealed frames to packets.
    private static func description(of kind: FrameKind, name: String = "") -> String {
        """
        appsrc name=\(name)inlet format=time is-live=true min-latency=0 max-bytes=0 max-buffers=\(kind == .audio ? 20 : 0) \
        leaky-type=\(kind == .audio ? "downstream" : "none") ! \(PacketChain.description(of: kind, name: name))
        """
    }

    /// Where frames go into a bin made of ``description(of:name:)``. Those of `smaller` are of the camera's smaller pictures, by that source.
    private func outlet(
        in bin: Element, label: MediaLabel, smaller: (layer: PictureLayer, source: UInt32)? = nil, parts: TransportParts
    ) throws(MediaError) -> SealedOutlet {
        let (slot, name) = (label.slot, smaller.map { Self.name(of: $0.layer) } ?? "")
        let (packets, inlet) = (try PacketChain(in: bin, name: name, label: label), try bin.child(name + "inlet"))
        if let smaller { packets.setSource(smaller.source) }
        let source = smaller?.source ?? label.ssrc
        let need: @Sendable () -> Void = { [weak encoders, way, layer = smaller?.layer] in
            if let layer { encoders?.needKeyFrame(of: layer) } else { encoders?.needKeyFrame(by: way) }
        }
        if slot.kind == .video {
            packets.pace(by: pacing, dropsWaiting: slot == .camera)
            parts.signals.retransmissions.onRefusal(of: source, need)
        }
        // Of a line with all sizes the session tells the large ones' side alone.
        if slot.kind == .video, smaller == nil {
            inlet.pad("src")?.filterUpstreamEvents { event in
                if gst_video_event_is_force_key_unit(event) != 0 { need() }
                return true
            }
        }
        let outlet = SealedOutlet(inlet, slot: slot, counters: counters, onNeed: need) {
            [rates = encoders.rates, way] in
            if slot == .camera { rates.sent(by: way) }
        }
        let isOpen = state.withLock { state in
            if let smaller { state.smaller[smaller.layer] = outlet } else { state.outlets[slot] = outlet }
            state.sources.insert(source)
            if slot == .microphone { state.voice = source }
            return state.isOpen
        }
        outlet.setOpen(isOpen)
        return outlet
    }

    /// Bits a second that may be sent, and that were well.
    var bitrate: Int? { encoders.rates.bitrate(of: way) }
    var good: Int? { encoders.rates.good(of: way) }

    /// Lets frames through: the peer is known to be the one there.
    func open() { setOpen(true) }

    /// Whether anything comes from the peer: pictures for nobody hold nobody back.
    func setHeard(_ isHeard: Bool) {
        encoders.rates.setHeard(isHeard, way)
        let cameras = state.withLock { $0.isOpen ? [$0.outlets[.camera]].compactMap(\.self) + $0.smaller.values : [] }
        for camera in cameras { camera.setOpen(isHeard) }
    }

    func expectFeedback() { encoders.rates.expectFeedback(way) }

    func receive(_ feedback: [PacketReport]) { encoders.rates.receive(feedback, by: way) }

    func setView(_ size: PictureSize?) { encoders.setView(size, way: way) }

    func shut() { setOpen(false) }

    private func setOpen(_ isOpen: Bool) {
        let outlets = state.withLock { state in
            state.isOpen = isOpen
            return Array(state.outlets.values) + state.smaller.values
        }
        for outlet in outlets { outlet.setOpen(isOpen) }
    }

    func close() {
        shut()
        encoders.disconnect(way: way)
        state.withLock { ($0.outlets, $0.smaller) = ([:], [:]) }
    }
}
