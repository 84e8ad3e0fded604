import CGStreamer
import GLibKit
import Synchronization

/// What a call's loudspeaker plays, for the echo canceller behind its microphone.
///
/// The canceller (`webrtcdsp`) finds the probe (`webrtcechoprobe`) by name among all of the process, so each call has one of
/// its own name. It belongs to the call, not to the loudspeaker: the canceller needs it before a loudspeaker is open, and
/// one probe serves one canceller at a time. At both ends the sound has 48 kHz.
final class EchoReference: Sendable {
    static let format = "audio/x-raw,format=S16LE,layout=interleaved,rate=48000"

    private static let count = Atomic(0)

    /// The probe's name.
    let name: String
    private let probe: Element

    /// Nil when the elements are not installed.
    init?() {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        name = "parley-echo-\(number)"
        guard Self.isAvailable, let probe = try? Element.make("webrtcechoprobe", name: name) else { return nil }
        self.probe = probe
    }

    /// Whether sound can be processed here at all.
    static var isAvailable: Bool {
        ["webrtcdsp", "webrtcechoprobe"].allSatisfy { name in
            guard let factory = gst_element_factory_find(name) else { return false }
            gst_object_unref(UnsafeMutableRawPointer(factory))
            return true
        }
    }

    /// Puts the probe between two elements of a loudspeaker's pipeline. It must not be in another one.
    func insert(after chain: Element, before sink: Element, in pipeline: Element) -> Bool {
        pipeline.add(probe)
        return chain.link(to: probe) && probe.link(to: sink)
    }

    /// Takes the probe out of a pipeline that is stopped.
    func remove(from pipeline: Element) { gst_bin_remove(pipeline.pointer(), probe.pointer()) }
}

extension SoundProcessing {
    /// What a person is told when it can't be done.
    static let isMissing = """
        Echo and noise can't be taken out of your microphone's sound: the GStreamer element “webrtcdsp” is missing.
        """

    /// The part of a `gst-launch` description that does it; nil when there is nothing to do, or nothing to do it with.
    func description(echo: EchoReference?) -> String? {
        guard self != .off, EchoReference.isAvailable else { return nil }
        let cancels = echoCancellation && echo != nil
        return """
            webrtcdsp probe=\(echo?.name ?? "none") echo-cancel=\(cancels) noise-suppression=\(noiseSuppression) \
            gain-control=\(automaticGain)
            """
    }
}
