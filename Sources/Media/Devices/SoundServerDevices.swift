import BaseKit
import CPulse
import GLibKit
import MediaRules

/// The microphones and loudspeakers of the person's sound server, by a connection that also tells when the server goes.
///
/// Not GStreamer's provider of them: one whose start fails, as it does when the server goes meanwhile, leaves a thread behind that goes on
/// using it (docs/devices.md).
///
/// Unchecked: everything of the sound server's is touched under the lock of its loop only.
final class SoundServerDevices: @unchecked Sendable {
    /// What the server's callbacks need; they come on its loop's thread, under its lock.
    private final class Listener: Sendable {
        let list = Lock(SoundServerList())
        let latch = OpeningLatch()
        let onChange: @Sendable () -> Void

        init(_ onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }
    }

    private let server: SoundServerWatch
    private let listener: Listener
    /// The same, for the callbacks.
    private let data: UnsafeMutableRawPointer

    /// How long the server may keep whoever wants to know of devices waiting.
    private static let patience = Duration.seconds(3)

    /// Connects and looks; nil when there is no server, or it does not answer in time. Blocks. `onChange` and `onLoss` are called on a
    /// thread of their own and must not free or close this object there; `onLoss` is called once at most.
    init?(onChange: @escaping @Sendable () -> Void, onLoss: @escaping @Sendable () -> Void) {
        let listener = Listener(onChange)
        guard
            let server = SoundServerWatch(onLoss: {
                listener.latch.release()
                onLoss()
            })
        else { return nil }
        let data = CallbackData.keeping(listener)
        (self.server, self.listener, self.data) = (server, listener, data)
        server.withContext { context in
            pa_context_set_subscribe_callback(
                context, { @Sendable context, _, _, data in SoundServerDevices.look(context, data) }, data)
            let mask = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            let server = PA_SUBSCRIPTION_MASK_SERVER.rawValue
            SoundServerWatch.forget(pa_context_subscribe(context, pa_subscription_mask_t(mask | server), nil, nil))
            Self.look(context, data)
        }
        _ = listener.latch.wait(within: Self.patience)
        guard listener.list.withLock({ $0.isKnown }) else {
            close()
            return nil
        }
    }

    deinit {
        close()
        // None of its callbacks is called any more.
        CallbackData.release(data)
    }

    /// Nothing is told any more. Blocks for a moment.
    func close() { server.close() }

    /// What there is now.
    var devices: [DeviceRecord] { listener.list.withLock { $0.devices } }

    // MARK: One look, on the loop's thread

    private static func look(_ context: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
        guard let context, let listener = listener(data), listener.list.withLock({ $0.look() }) else { return }
        // They are answered in this order.
        SoundServerWatch.forget(pa_context_get_server_info(context, serverTold, data))
        SoundServerWatch.forget(pa_context_get_sink_info_list(context, sinkTold, data))
        SoundServerWatch.forget(pa_context_get_source_info_list(context, sourceTold, data))
    }

    private static let serverTold: pa_server_info_cb_t = { @Sendable _, info, data in
        guard let info = info?.pointee, let listener = SoundServerDevices.listener(data) else { return }
        listener.list.withLock { list in
            list.note(standard: .speaker, info.default_sink_name.map { String(cString: $0) })
            list.note(standard: .microphone, info.default_source_name.map { String(cString: $0) })
        }
    }

    private static let sinkTold: pa_sink_info_cb_t = { @Sendable _, info, _, data in
        guard let info = info?.pointee else { return }
        SoundServerDevices.note(.speaker, info.name, info.description, data)
    }

    private static let sourceTold: pa_source_info_cb_t = { @Sendable context, info, end, data in
        if let info = info?.pointee {
            SoundServerDevices.note(.microphone, info.name, info.description, data)
        } else if end != 0 {
            SoundServerDevices.finish(context, data)
        }
    }

    private static func note(
        _ kind: DeviceKind, _ name: UnsafePointer<CChar>?, _ description: UnsafePointer<CChar>?,
        _ data: UnsafeMutableRawPointer?
    ) {
        guard let name, let listener = listener(data) else { return }
        listener.list.withLock {
            $0.note(kind, String(cString: name), description.map { String(cString: $0) })
        }
    }

    private static func finish(_ context: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
        guard let listener = listener(data) else { return }
        let (isNews, isDue) = listener.list.withLock { $0.end() }
        listener.latch.release()
        if isNews { listener.onChange() }
        if isDue { look(context, data) }
    }

    private static func listener(_ data: UnsafeMutableRawPointer?) -> Listener? {
        data.map { CallbackData.value(Listener.self, at: $0) }
    }
}
