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
        var sources: Set<UInt32> = []
        var voice: UInt32?
        var isOpen = false
    }

    /// The number by which the encoders know this way.
    let way: Int
    private let encoders: GroupEncoders
    private let counters: MediaCounters
    private let pacing = Pacing()
    private let state = Mutex(State())

    /// `counters` count what is sent to the member.
    init(encoders: GroupEncoders, counters: MediaCounters) {
        (self.encoders, self.counters) = (encoders, counters)
        way = GroupWays.next()
    }

    var chains: [MediaSlot: SendChain] { [:] }
    var sources: Set<UInt32> { state.withLock { $0.sources } }
    var voice: UInt32? { state.withLock { $0.voice } }

    func add(_ labels: [MediaLabel], to parts: TransportParts, formerRate: Int?) throws(MediaError) {
        encoders.rates.add(way, pacing: pacing, former: formerRate)
        for label in labels { try add(label, to: parts) }
    }

    private func add(_ label: MediaLabel, to parts: TransportParts) throws(MediaError) {
        let slot = label.slot
        let bin = try Element.bin(
            """
            appsrc name=inlet format=time is-live=true min-latency=0 max-bytes=0 max-buffers=\(slot.kind == .audio ? 20 : 0) \
            leaky-type=\(slot.kind == .audio ? "downstream" : "none") ! \(PacketChain.description(of: slot.kind))
            """)
        let (packets, source) = (try PacketChain(in: bin, label: label), try bin.child("inlet"))
        let need: @Sendable () -> Void = { [weak encoders, way] in
            encoders?.needKeyFrame(ofScreen: slot == .screen, by: way)
        }
        if slot.kind == .video {
            packets.pace(by: pacing, dropsWaiting: slot == .camera)
            source.pad("src")?.filterUpstreamEvents { [rates = encoders.rates, way, weak parts] event in
                if slot == .camera, let reports = PacketFeedback.reports(of: event) {
                    if parts?.admits(feedbackCount: reports.count) ?? false { rates.receive(reports, by: way) }
                } else if gst_video_event_is_force_key_unit(event) != 0 {
                    need()
                }
                return true
            }
            parts.signals.retransmissions.onRefusal(of: label.ssrc, need)
        }
        try parts.bin.addSender(bin, slot: slot)
        let outlet = SealedOutlet(source, slot: slot, counters: counters, onNeed: need) {
            [rates = encoders.rates, way] in
            if slot == .camera { rates.sent(by: way) }
        }
        let isOpen = state.withLock { state in
            state.outlets[slot] = outlet
            state.sources.insert(label.ssrc)
            if slot == .microphone { state.voice = label.ssrc }
            return state.isOpen
        }
        outlet.setOpen(isOpen)
        encoders.connect(outlet, of: slot, way: way)
    }

    /// Bits a second that may be sent, and that were well.
    var bitrate: Int? { encoders.rates.bitrate(of: way) }
    var good: Int? { encoders.rates.good(of: way) }

    /// Lets frames through: the peer is known to be the one there.
    func open() { setOpen(true) }

    /// Whether anything comes from the peer: pictures for nobody hold nobody back.
    func setHeard(_ isHeard: Bool) {
        encoders.rates.setHeard(isHeard, way)
        guard let camera = state.withLock({ $0.isOpen ? $0.outlets[.camera] : nil }) else { return }
        camera.setOpen(isHeard)
    }

    func setView(_ size: PictureSize?) { encoders.setView(size, way: way) }

    func shut() { setOpen(false) }

    private func setOpen(_ isOpen: Bool) {
        let outlets = state.withLock { state in
            state.isOpen = isOpen
            return Array(state.outlets.values)
        }
        for outlet in outlets { outlet.setOpen(isOpen) }
    }

    func close() {
        shut()
        encoders.disconnect(way: way)
        state.withLock { $0.outlets = [:] }
    }
}
