import BaseKit
import CGStreamer
import GLibKit

/// A session description in GStreamer's form.
///
/// Unchecked: owned by this object alone and never changed.
final class NativeDescription: @unchecked Sendable {
    let raw: UnsafeMutablePointer<GstWebRTCSessionDescription>

    /// Takes over a description.
    init(adopting description: UnsafeMutablePointer<GstWebRTCSessionDescription>) { raw = description }

    /// Reads a text; nil when GStreamer can't.
    init?(_ type: GstWebRTCSDPType, text: String) {
        var message: UnsafeMutablePointer<GstSDPMessage>?
        guard gst_sdp_message_new_from_text(text, &message) == GST_SDP_OK, let message,
            let made = gst_webrtc_session_description_new(type, message)
        else { return nil }
        raw = made
    }

    deinit { gst_webrtc_session_description_free(raw) }

    /// Whether it is an offer.
    var isOffer: Bool { raw.pointee.type == GST_WEBRTC_SDP_TYPE_OFFER }

    /// The text form.
    var text: String {
        guard let text = gst_sdp_message_as_text(raw.pointee.sdp) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}

/// What a GStreamer promise was answered with.
struct PromiseReply: Sendable {
    var descriptions: [String: NativeDescription] = [:]
    var error: String?

    init(error: String) { self.error = error }

    init(reading structure: UnsafePointer<GstStructure>?) {
        guard let structure else { return }
        for name in ["offer", "answer"] {
            guard let value = gst_structure_get_value(structure, name), let boxed = g_value_get_boxed(value),
                let copy = gst_webrtc_session_description_copy(
                    boxed.assumingMemoryBound(to: GstWebRTCSessionDescription.self))
            else { continue }
            descriptions[name] = NativeDescription(adopting: copy)
        }
        if let value = gst_structure_get_value(structure, "error"), let boxed = g_value_get_boxed(value) {
            error = String(cString: boxed.assumingMemoryBound(to: GError.self).pointee.message)
        }
    }
}

/// Makes promises and waits for their replies.
enum Promise {
    private final class Waiter: Sendable {
        private let continuation: Lock<CheckedContinuation<PromiseReply, Never>?>

        init(_ continuation: CheckedContinuation<PromiseReply, Never>) { self.continuation = Lock(continuation) }

        /// Only the first reply counts.
        func resume(_ reply: PromiseReply) {
            continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }?.resume(returning: reply)
        }
    }

    /// How long an answer may take; webrtcbin's own are a matter of milliseconds.
    static let patience = Duration.seconds(15)

    /// Hands a new promise to `start` and waits until it is answered or given up, or for `patience`.
    static func reply(
        within patience: Duration = patience, _ start: (UnsafeMutableRawPointer) throws -> Void
    ) async -> PromiseReply {
        var limit: Task<Void, Never>?
        defer { limit?.cancel() }
        return await withCheckedContinuation { continuation in
            let waiter = Waiter(continuation)
            limit = Task {
                try? await Task.sleep(for: patience)
                if !Task.isCancelled { waiter.resume(PromiseReply(error: "no reply in time")) }
            }
            let promise = gst_promise_new_with_change_func(
                { promise, data in
                    guard let data else { return }
                    let waiter = CallbackData.value(Waiter.self, at: data)
                    if gst_promise_wait(promise) == GST_PROMISE_RESULT_REPLIED {
                        waiter.resume(PromiseReply(reading: gst_promise_get_reply(promise)))
                    } else {
                        waiter.resume(PromiseReply(error: "given up"))
                    }
                }, CallbackData.keeping(waiter),
                { data in
                    guard let data else { return }
                    CallbackData.value(Waiter.self, at: data).resume(PromiseReply(error: "given up"))
                    CallbackData.release(data)
                })
            guard let promise else { return waiter.resume(PromiseReply(error: "no promise")) }
            do {
                try start(UnsafeMutableRawPointer(promise))
            } catch {
                waiter.resume(PromiseReply(error: "\(error)"))
            }
            gst_promise_unref(promise)
        }
    }
}
