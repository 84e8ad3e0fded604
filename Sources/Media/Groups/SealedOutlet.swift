import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// Where the sealed frames of one stream enter one transport's pipeline.
final class SealedOutlet: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var backlog = SealedBacklog()
    }

    private let source: Element
    private let kind: FrameKind
    private let counters: MediaCounters
    private let slot: MediaSlot
    private let onNeed: @Sendable () -> Void
    private let state = Mutex(State())

    /// `source` is an `appsrc`. `onNeed` is called when nothing can be sent before a key frame, on a streaming thread.
    init(_ source: Element, slot: MediaSlot, counters: MediaCounters, onNeed: @escaping @Sendable () -> Void) {
        (self.source, self.slot, kind, self.counters, self.onNeed) = (source, slot, slot.kind, counters, onNeed)
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

    /// Passes a frame on. The transports share its memory: nothing in it is changed any more.
    func push(_ sample: Sample) {
        let isKeyFrame = sample.buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
        let waiting = kind == .video ? Int(gst_app_src_get_current_level_buffers(source.pointer())) : 0
        let verdict = state.withLock { state -> SealedBacklog.Verdict in
            guard state.isOpen else { return .drop(wantsKeyFrame: false) }
            return kind == .video ? state.backlog.admit(isKeyFrame: isKeyFrame, waiting: waiting) : .send
        }
        switch verdict {
        case .send:
            source.setSourceFormat(sample.caps)
            gst_app_src_push_buffer(source.pointer(), gst_buffer_ref(sample.buffer))
            counters.countSent(slot)
        case .drop(let wantsKeyFrame): if wantsKeyFrame { onNeed() }
        }
    }
}

/// The sealed frames of one stream on their way to all transports.
final class SealedFrames: Sendable {
    private let outlets = Mutex<[Int: SealedOutlet]>([:])

    /// Lets frames go to another transport too.
    func connect(_ outlet: SealedOutlet, way: Int) { outlets.withLock { $0[way] = outlet } }

    func disconnect(way: Int) { _ = outlets.withLock { $0.removeValue(forKey: way) } }

    /// Passes a frame to all. On the encoder's streaming thread.
    func push(_ sample: Sample) {
        let all = outlets.withLock { Array($0.values) }
        for outlet in all { outlet.push(sample) }
    }
}
