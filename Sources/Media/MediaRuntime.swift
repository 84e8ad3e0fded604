import BaseKit
import CGStreamer
import Dispatch
import Foundation
import GLibKit
import MediaRules

/// GStreamer in this process, with the elements of this floor.
public enum MediaRuntime {
    private enum State {
        case stopped
        case running
        /// GStreamer runs, but not all is there that a call needs.
        case incomplete
        case failed(MediaError)
    }

    private static let state = Lock(State.stopped)
    /// The process's DTLS key is made by the first `dtlsdec` and takes up to a second and a half; kept for good.
    private static let warmedKey = Lock<Element?>(nil)
    private static let isLoading = Lock(false)

    /// Starts GStreamer, registers our elements, looks for those that every call needs, and begins in the
    /// background to make the DTLS key and to try the graphics processor's encoder, if there is one. Once it has succeeded, further calls do nothing; after something was missing they look again, so that
    /// nobody has to begin anew who has installed it meanwhile.
    ///
    /// Captures and contacts nothing. It may take seconds when GStreamer reads all its plugins anew.
    /// - Throws: ``MediaError/startFailed(_:)`` or ``MediaError/missingElements(_:)``.
    public static func start() throws(MediaError) {
        let outcome = state.withLock { state -> MediaError? in
            switch state {
            case .running: return nil
            case .failed(let error): return error
            case .stopped:
                if let error = initialise() {
                    state = .failed(error)
                    return error
                }
            case .incomplete: _ = gst_update_registry()
            }
            if let missing = MissingElements(missing(for: [.call])) {
                state = .incomplete
                return .missingElements(missing)
            }
            state = .running
            warmUp()
            return nil
        }
        if let outcome { throw outcome }
    }

    /// Has the code of what a call is made of read in the background: else that is two fifths of the time between accepting the first call
    /// and its first picture. For the time in which a call rings; after the first time it does nothing.
    ///
    /// Makes no element, so that there is nothing that could capture or connect, and reads nothing of ICE.
    public static func load() {
        let isFirst = isLoading.withLock { isLoading in
            defer { isLoading = true }
            return !isLoading
        }
        guard isFirst else { return }
        MediaQueue.start {
            guard (try? start()) != nil else { return isLoading.withLock { $0 = false } }
            let uses: Set<NeededElement.Use> = [.call, .sound, .processing]
            for element in NeededElement.all where uses.contains(element.use) && !element.name.hasPrefix("nice") {
                loadClass(of: element.name)
            }
        }
    }

    private static func loadClass(of element: String) {
        guard let factory = gst_element_factory_find(element) else { return }
        defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
        guard let loaded = gst_plugin_feature_load(factory) else { return }
        // The class stays.
        g_type_class_ref(gst_element_factory_get_element_type(loaded))
        gst_object_unref(UnsafeMutableRawPointer(loaded))
    }

    /// The elements of the list, for these uses, that GStreamer does not know; ``start()`` comes before it.
    public static func missing(for uses: Set<NeededElement.Use>) -> [NeededElement] {
        NeededElement.all.filter { uses.contains($0.use) && !isKnown($0.name) }
    }

    /// Whether there is an element or a device provider of this name.
    private static func isKnown(_ name: String) -> Bool {
        let factory = gst_element_factory_find(name).map { UnsafeMutableRawPointer($0) }
        guard let known = factory ?? gst_device_provider_factory_find(name).map({ UnsafeMutableRawPointer($0) }) else {
            return false
        }
        gst_object_unref(known)
        return true
    }

    private static func initialise() -> MediaError? {
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) != 0 else {
            defer { g_clear_error(&error) }
            return .startFailed(error.map { String(cString: $0.pointee.message) } ?? "unknown error")
        }
        gst_element_register(nil, "parleyvp8pay", 0, VP8PayloadElement.gclass.type)
        gst_element_register(nil, "parleyvp8enc", 0, PictureEncoderElement.gclass.type)
        gst_element_register(nil, "parleyframeencrypt", 0, FrameEncryptElement.gclass.type)
        gst_element_register(nil, "parleyframedecrypt", 0, FrameDecryptElement.gclass.type)
        return nil
    }

    private static func warmUp() {
        MediaQueue.start {
            let element = try? Element.make("dtlsdec")
            warmedKey.withLock { $0 = element }
        }
        if ProcessInfo.processInfo.environment["PARLEY_VIDEO_ENCODER"] != "software" {
            MediaQueue.start { HardwareEncoders.probe() }
        }
    }
}
