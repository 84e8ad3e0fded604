import CGStreamer
import GLibKit
import Synchronization

@testable import Media

/// Measures the sound that a session decodes.
final class SoundMeter: Sendable {
    private struct Sound: Sendable {
        var level = 0.0
        var frequency = 0.0
    }

    private let sound = Mutex(Sound())

    /// Root mean square of the last piece, 1 is full scale.
    var level: Double { sound.withLock { $0.level } }
    /// Its zero crossings as a frequency in Hz.
    var frequency: Double { sound.withLock { $0.frequency } }

    /// Listens at the session's decoder; nil as long as it has none.
    init?(_ session: PeerSession) async {
        let pipeline = await session.pipeline.element
        guard let pad = Self.outlets(of: pipeline).first else { return nil }
        pad.onBuffer { [weak self] pad, buffer in self?.hear(pad, buffer) }
    }

    /// Listens at all decoders of the session.
    static func all(_ session: PeerSession) async -> [SoundMeter] { all(await session.pipeline.element) }

    /// Listens at all decoders of a pipeline.
    static func all(_ pipeline: Element) -> [SoundMeter] { outlets(of: pipeline).map(SoundMeter.init) }

    /// Where decoded sound comes, whichever decoder it comes from: they are exchanged in a call.
    static func outlets(of pipeline: Element) -> [Pad] {
        pipeline.all(factory: "opusdec").compactMap { decoder in
            decoder.pad("src").flatMap { gst_pad_get_peer($0.pointer()) }.map { Pad(adopting: $0) }
        }
    }

    private init(_ pad: Pad) { pad.onBuffer { [weak self] pad, buffer in self?.hear(pad, buffer) } }

    private func hear(_ pad: UnsafeMutablePointer<GstPad>, _ buffer: UnsafeMutablePointer<GstBuffer>) {
        guard let caps = gst_pad_get_current_caps(pad) else { return }
        defer { gst_caps_unref(caps) }
        var info = GstAudioInfo()
        var map = GstMapInfo()
        guard gst_audio_info_from_caps(&info, caps) != 0, info.channels > 0,
            gst_buffer_map(buffer, &map, GST_MAP_READ) != 0
        else { return }
        let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
        let samples = bytes.bindMemory(to: Int16.self).enumerated()
            .filter { $0.offset % Int(info.channels) == 0 }.map { Double($0.element) / 32_768 }
        gst_buffer_unmap(buffer, &map)
        guard samples.count > 1 else { return }
        let level = (samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)).squareRoot()
        let crossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        let seconds = Double(samples.count) / Double(info.rate)
        sound.withLock { $0 = Sound(level: level, frequency: Double(crossings) / 2 / seconds) }
    }
}

extension Element {
    /// All elements inside this bin that were made by the named factory.
    func all(factory: String) -> [Element] {
        guard let iterator = gst_bin_iterate_all_by_element_factory_name(pointer(), factory) else { return [] }
        defer { gst_iterator_free(iterator) }
        var found: [Element] = []
        var value = GValue()
        while gst_iterator_next(iterator, &value) == GST_ITERATOR_OK {
            if let object = g_value_get_object(&value) { found.append(Element(retaining: object)) }
            g_value_reset(&value)
        }
        return found
    }

    /// Some element inside this bin that was made by the named factory.
    func first(factory: String) -> Element? {
        guard let iterator = gst_bin_iterate_all_by_element_factory_name(pointer(), factory) else { return nil }
        defer { gst_iterator_free(iterator) }
        var value = GValue()
        guard gst_iterator_next(iterator, &value) == GST_ITERATOR_OK, let object = g_value_get_object(&value) else {
            return nil
        }
        defer { g_value_unset(&value) }
        return Element(retaining: object)
    }
}
