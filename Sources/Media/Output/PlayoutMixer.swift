import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// A sound that is played: whose, and of what. In a call of two the peer has the number 0.
struct PlayedSound: Sendable, Hashable {
    var member: UInt8 = 0
    var slot: MediaSlot
}

/// Brings the voices of all peers and the sounds of their screens together, on their way to the loudspeaker.
///
/// All but the first voice of a call of two have an inlet only while there is some: a mixer waits for everything that is connected to
/// it.
final class PlayoutMixer: Sendable {
    /// What goes to the loudspeaker.
    let element: Element

    private let mixer: Element
    private let volume: Element
    private let state = Lock(State())
    /// Milliseconds. Not under the lock, as it is read when GStreamer tells the latency, which a new inlet may have it do.
    private let awaited: Atomic<Int>

    private struct State: Sendable {
        var inlets: [PlayedSound: Inlet] = [:]
        /// How loud members are that are not as loud as they come.
        var volumes: [UInt8: Double] = [:]
    }

    private struct Inlet: Sendable {
        var bin: Element
        var source: Element
        var pad: Pad
    }

    /// `latency` in milliseconds is the time that sound may take to come here. Throws ``MediaError``.
    init(latency: Int) throws(MediaError) {
        awaited = Atomic(latency)
        // A gap is a gap (somebody was muted), and the call may have run for long when the first sound comes.
        element = try Element.bin(
            """
            audiomixer name=mixer ignore-inactive-pads=true discont-wait=0 start-time-selection=first ! \
            \(EchoReference.format),channels=2 ! volume name=volume ! audioconvert ! audioresample
            """)
        mixer = try element.child("mixer")
        volume = try element.child("volume")
        let voice = try addInlet(latency)
        state.withLock { $0.inlets[PlayedSound(slot: .microphone)] = voice }
    }

    /// Where the mixed sound passes as loud as it is heard, before it is brought to the loudspeaker's format.
    var sound: Pad? { volume.pad("src") }

    /// Makes all of it louder or quieter: 1 is as it comes.
    func setVolume(_ factor: Double) { volume.set("volume", factor) }

    /// Makes all of one member's louder or quieter: 1 is as it comes.
    func setVolume(_ factor: Double, of member: UInt8) {
        let pads = state.withLock { state in
            state.volumes[member] = factor
            return state.inlets.filter { $0.key.member == member }.map(\.value.pad)
        }
        for pad in pads { pad.set("volume", factor) }
    }

    /// The time that sound may take to come here, in milliseconds.
    var latency: Int { awaited.load(ordering: .relaxed) }

    /// Changes it.
    func setLatency(_ latency: Int) {
        let sources = state.withLock { state in
            awaited.store(latency, ordering: .relaxed)
            return state.inlets.values.map(\.source)
        }
        for source in sources {
            gst_app_src_set_latency(source.pointer(), guint64(latency) * 1_000_000, guint64.max)
        }
    }

    /// Plays a piece of sound at its timestamp. On any thread.
    func play(_ sample: Sample, of sound: PlayedSound) {
        guard let source = source(of: sound) else { return }
        source.setSourceFormat(sample.caps)
        gst_app_src_push_buffer(source.pointer(), gst_buffer_ref(sample.buffer))
    }

    /// Takes a sound away until its next piece comes. Blocks for a moment.
    func remove(_ sound: PlayedSound) {
        guard let inlet = state.withLock({ $0.inlets.removeValue(forKey: sound) }) else { return }
        inlet.bin.setState(GST_STATE_NULL)
        gst_bin_remove(element.pointer(), inlet.bin.pointer())
        gst_element_release_request_pad(mixer.pointer(), inlet.pad.pointer())
    }

    private func source(of sound: PlayedSound) -> Element? {
        state.withLock { state in
            if let inlet = state.inlets[sound] { return inlet.source }
            guard let inlet = try? addInlet(latency) else { return nil }
            if let volume = state.volumes[sound.member] { inlet.pad.set("volume", volume) }
            state.inlets[sound] = inlet
            return inlet.source
        }
    }

    private func addInlet(_ latency: Int) throws(MediaError) -> Inlet {
        let bin = try Element.bin(
            """
            appsrc name=inlet format=time is-live=true max-bytes=0 max-buffers=50 leaky-type=downstream \
            min-latency=\(latency * 1_000_000) ! audioconvert ! audioresample ! \
            capsfilter caps=audio/x-raw,format=S16LE,rate=48000,channels=2
            """)
        let source = try bin.child("inlet")
        guard let output = bin.pad("src"), let requested = gst_element_request_pad_simple(mixer.pointer(), "sink_%u")
        else { throw .pipeline("no mixer") }
        let pad = Pad(adopting: requested)
        element.add(bin)
        guard output.link(to: pad) else { throw .pipeline("no mixer") }
        gst_element_sync_state_with_parent(bin.pointer())
        return Inlet(bin: bin, source: source, pad: pad)
    }
}
