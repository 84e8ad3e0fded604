import CPulse
import GLibKit

/// Tells whether the sound server has muted a source, at once when that changes, and can unmute it.
///
/// Unchecked: everything of the sound server's is touched under the lock of its loop only.
final class SourceMuteWatch: @unchecked Sendable {
    /// What the server's callbacks need; they come on its loop's thread, under its lock.
    private struct Listener: Sendable {
        let source: String
        let onChange: @Sendable (Bool) -> Void
    }

    private let server: SoundServerWatch
    private let source: String
    /// The listener, for the callbacks.
    private let data: UnsafeMutableRawPointer

    /// Connects to the person's sound server and looks after a source, known by the server's own name for it; nil when there is no
    /// server, or it does not answer in time. Blocks. `onChange` is called on a thread of its own, first with how it is, then also
    /// when nothing is new; with false when source or server have gone. It must not free this object there.
    init?(source: String, onChange: @escaping @Sendable (Bool) -> Void) {
        guard let server = SoundServerWatch("Parley microphone", onLoss: { onChange(false) }) else { return nil }
        let data = CallbackData.keeping(Listener(source: source, onChange: onChange))
        (self.server, self.source, self.data) = (server, source, data)
        server.withContext { context in
            pa_context_set_subscribe_callback(
                context, { @Sendable context, _, _, data in SourceMuteWatch.ask(context, data) }, data)
            SoundServerWatch.forget(pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SOURCE, nil, nil))
            Self.ask(context, data)
        }
    }

    deinit {
        close()
        // None of its callbacks is called any more.
        CallbackData.release(data)
    }

    /// Nothing is told any more. Blocks for a moment.
    func close() {
        server.withContext { pa_context_set_subscribe_callback($0, nil, nil) }
        server.close()
    }

    /// Has the server unmute the source. What becomes of it is told as a change.
    func unmute() {
        server.withContext { context in
            SoundServerWatch.forget(pa_context_set_source_mute_by_name(context, source, 0, nil, nil))
        }
    }

    private static func ask(_ context: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
        guard let context, let data else { return }
        let listener = CallbackData.value(Listener.self, at: data)
        SoundServerWatch.forget(pa_context_get_source_info_by_name(context, listener.source, answered, data))
    }

    private static let answered: pa_source_info_cb_t = { @Sendable _, info, end, data in
        guard let data else { return }
        let listener = CallbackData.value(Listener.self, at: data)
        if let info {
            listener.onChange(info.pointee.mute != 0)
        } else if end < 0 {
            listener.onChange(false)
        }
    }
}
