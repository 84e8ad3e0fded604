import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Where the sealed frames of one stream enter one transport's pipeline.
final class SealedOutlet: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var backlog = SealedBacklog()
        /// The time of the last frame: pictures of another encoder may be older.
        var last: UInt64 = 0
    }

    private let source: Element
    private let kind: FrameKind
    private let counters: MediaCounters
    private let slot: MediaSlot
    private let onNeed: @Sendable () -> Void
    private let onSent: @Sendable () -> Void
    private let state = Lock(State())

    /// `source` is an `appsrc`. `onNeed` is called when nothing can be sent before a key frame, and `onSent` with each frame that leaves, on
    /// a streaming thread.
    init(
        _ source: Element, slot: MediaSlot, counters: MediaCounters, onNeed: @escaping @Sendable () -> Void,
        onSent: @escaping @Sendable () -> Void = {}
    ) {
        (self.source, self.slot, kind, self.counters) = (source, slot, slot.kind, counters)
        (self.onNeed, self.onSent) = (onNeed, onSent)
    }

    /// Lets frames through, or none. The peer has to be known to be the one there.
    func setOpen(_ isOpen: Bool) {
        let begins = state.withLock { state in
            guard state.isOpen != isOpen else { return false }
            state.isOpen = isOpen
            state.backlog.restart()
            return isOpen
        }
        if begins, kind == .video { onNeed() }
    }

    /// Frames of another encoder follow, beginning with a key frame, which is asked for.
    func restart() {
        let isOpen = state.withLock { state in
            state.backlog.restart()
            return state.isOpen
        }
        if isOpen, kind == .video { onNeed() }
    }

    /// Passes a frame on. The transports share its memory: nothing in it is changed any more.
    func push(_ sample: Sample) {
        let isKeyFrame = sample.buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
        let waiting = kind == .video ? Int(gst_app_src_get_current_level_buffers(source.pointer())) : 0
        let verdict = state.withLock { state -> SealedBacklog.Verdict in
            guard state.isOpen else { return .drop(wantsKeyFrame: false) }
            guard kind == .video else { return .send }
            let time = UInt64(sample.buffer.pointee.pts)
            guard time > state.last else { return .drop(wantsKeyFrame: isKeyFrame) }
            let verdict = state.backlog.admit(isKeyFrame: isKeyFrame, waiting: waiting)
            if verdict == .send { state.last = time }
            return verdict
        }
        switch verdict {
        case .send:
            source.setSourceFormat(sample.caps)
            gst_app_src_push_buffer(source.pointer(), gst_buffer_ref(sample.buffer))
            counters.countSent(slot)
            onSent()
        case .drop(let wantsKeyFrame): if wantsKeyFrame { onNeed() }
        }
    }
}

/// The sealed frames of one stream on their way to all transports.
final class SealedFrames: Sendable {
    private let outlets = Lock<[Int: SealedOutlet]>([:])

    /// Lets frames go to another transport too.
    func connect(_ outlet: SealedOutlet, way: Int) { outlets.withLock { $0[way] = outlet } }

    func disconnect(way: Int) { _ = outlets.withLock { $0.removeValue(forKey: way) } }

    /// Passes a frame to all. On the encoder's streaming thread.
    func push(_ sample: Sample) {
        let all = outlets.withLock { Array($0.values) }
        for outlet in all { outlet.push(sample) }
    }
}
