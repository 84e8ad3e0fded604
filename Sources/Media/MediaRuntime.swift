import CGStreamer
import Dispatch
import GLibKit
import Synchronization

/// GStreamer in this process, with the elements of this floor.
public enum MediaRuntime {
    private static let outcome: Result<Void, MediaError> = startOnce()
    /// The process's DTLS key is made by the first `dtlsdec` and takes up to a second and a half; kept for good.
    private static let warmedKey = Mutex<Element?>(nil)

    /// Starts GStreamer, registers our elements and begins to make the DTLS key in the background. Further calls do nothing.
    ///
    /// Captures and contacts nothing. Throws ``MediaError/startFailed(_:)`` or ``MediaError/missingElement(_:)``.
    public static func start() throws {
        try outcome.get()
    }

    private static func startOnce() -> Result<Void, MediaError> {
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) != 0 else {
            defer { g_clear_error(&error) }
            return .failure(.startFailed(error.map { String(cString: $0.pointee.message) } ?? "unknown error"))
        }
        gst_element_register(nil, "parleyvp8pay", 0, VP8PayloadElement.gclass.type)
        gst_element_register(nil, "parleyframeencrypt", 0, FrameEncryptElement.gclass.type)
        gst_element_register(nil, "parleyframedecrypt", 0, FrameDecryptElement.gclass.type)
        for element in NeededElement.all where element.use == .call {
            guard let factory = gst_element_factory_find(element.name) else {
                return .failure(.missingElement(element.name))
            }
            gst_object_unref(UnsafeMutableRawPointer(factory))
        }
        MediaQueue.start {
            let element = try? Element.make("dtlsdec")
            warmedKey.withLock { $0 = element }
        }
        return .success(())
    }
}
