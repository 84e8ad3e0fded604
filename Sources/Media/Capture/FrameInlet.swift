import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Where captured pictures or sound enter the call's pipeline: an `appsrc` that any capture can feed.
///
/// Capture runs in a pipeline of its own, so a device that fails or is exchanged never disturbs encoder and payloader.
final class FrameInlet: Sendable {
    private let state = Lock(State())
    private let keepsLatest: Bool

    /// `keepsLatest`: whether the last sample is held for ``begin()``. Sources with few buffers want theirs back.
    init(keepsLatest: Bool = false) { self.keepsLatest = keepsLatest }

    private struct State: Sendable {
        var target: Element?
        var rebase = TimestampRebase()
        var lastEntry = 0
        /// The entry whose frames count: the latest that has brought one. And the one before it.
        var newest = 0
        var older = 0
        var revoked: Set<Int> = []
        var pauses = SwitchPauses()
        /// The last sample and when it came, until the call begins to take frames.
        var latest: (sample: Sample, at: Instant)?
        var hasBegun = false
    }

    /// The time within which a sample is still the present.
    private static let freshness: Duration = .milliseconds(100)

    /// Connects the `appsrc` that frames go to; with nil they go nowhere, as before the first.
    func connect(to source: Element?) {
        state.withLock {
            $0.target = source
            $0.latest = nil
        }
    }

    /// Passes a sample on, at the time at which it was captured. On any thread.
    func push(_ sample: Sample) {
        if keepsLatest { state.withLock { if !$0.hasBegun { $0.latest = (sample, .now) } } }
        push(sample.buffer, caps: sample.caps, capturedAt: sample.clockTime)
    }

    /// The call takes frames from now on: passes the last sample on once more, so that the first picture need not wait for the
    /// next one of the camera.
    func begin() {
        let latest = state.withLock { state -> (sample: Sample, at: Instant)? in
            defer {
                state.latest = nil
                state.hasBegun = true
            }
            return state.latest
        }
        guard let latest, Instant.now - latest.at < Self.freshness else { return }
        push(latest.sample.buffer, caps: latest.sample.caps)
    }

    /// Passes a sample on with the present as its time, whatever its own. On any thread.
    func pushNow(_ sample: Sample) {
        state.withLock { state in
            guard let target = state.target, let now = target.runningTime, let copy = gst_buffer_copy(sample.buffer)
            else { return }
            copy.pointee.pts = GstClockTime(now)
            copy.pointee.dts = GstClockTime.max
            copy.pointee.duration = GstClockTime.max
            target.setSourceFormat(sample.caps)
            gst_app_src_push_buffer(target.pointer(), copy)
        }
    }

    /// Passes a buffer on, at the time of the system's clock at which it was captured, if that is known, else at the present. On any
    /// thread. The buffer is not changed: the call gets a shallow copy.
    func push(
        _ buffer: UnsafeMutablePointer<GstBuffer>, caps: UnsafeMutablePointer<GstCaps>,
        capturedAt clockTime: Int64? = nil
    ) {
        let timestamp = buffer.pointee.pts == GstClockTime.max ? nil : UInt64(buffer.pointee.pts)
        let duration = buffer.pointee.duration == GstClockTime.max ? 0 : UInt64(buffer.pointee.duration)
        nonisolated(unsafe) let buffer = buffer  // used inside this call only; the lock keeps the order of frames
        nonisolated(unsafe) let caps = caps  // likewise
        state.withLock { state in
            guard let target = state.target, let now = target.runningTime, let copy = gst_buffer_copy(buffer) else {
                return
            }
            let captured = clockTime.map { target.runningTime(at: $0) }
            copy.pointee.pts = GstClockTime(
                state.rebase.rebase(timestamp: timestamp, captured: captured, duration: duration, now: now))
            copy.pointee.dts = GstClockTime.max
            target.setSourceFormat(caps)
            gst_app_src_push_buffer(target.pointer(), copy)
        }
    }

    // MARK: Captures that take turns

    /// One capture's way in. Its first frame takes over from all older ones, so that the next source can be opened before the
    /// last is closed.
    struct Entry: Sendable {
        fileprivate let inlet: FrameInlet
        fileprivate let number: Int

        /// Passes a sample on, unless a newer capture has taken over. Gives whether it did.
        @discardableResult
        func push(_ sample: Sample) -> Bool {
            guard inlet.admit(number) else { return false }
            inlet.push(sample)
            return true
        }

        /// Whether no newer capture has taken over.
        var isNewest: Bool { inlet.state.withLock { number >= $0.newest && !$0.revoked.contains(number) } }

        /// Refuses all that comes from now on, and lets the capture before go on if this one had taken over.
        func revoke() {
            inlet.state.withLock { state in
                state.revoked.insert(number)
                if state.newest == number { state.newest = state.older }
            }
        }
    }

    /// A way in for another capture.
    func makeEntry() -> Entry {
        state.withLock { state in
            state.lastEntry += 1
            return Entry(inlet: self, number: state.lastEntry)
        }
    }

    private func admit(_ number: Int) -> Bool {
        state.withLock { state in
            guard number >= state.newest, !state.revoked.contains(number) else { return false }
            if number > state.newest { (state.older, state.newest) = (state.newest, number) }
            state.pauses.frame(at: .now)
            return true
        }
    }

    /// A source is about to be exchanged.
    func beginSwitch() { state.withLock { $0.pauses.begin(at: .now) } }

    /// Nothing is captured any more: what comes next is no continuation.
    func forget() { state.withLock { $0.pauses.forget() } }

    /// The longest time between two frames around an exchange so far, and otherwise.
    var longestPauses: (switching: Duration, ordinary: Duration) {
        state.withLock { ($0.pauses.switching, $0.pauses.ordinary) }
    }
}
