import BaseKit
import CGStreamer
import Foundation
import GLibKit
import MediaRules

/// Which encoder of this machine's graphics processor calls use, if any: one that has been tried, and has not failed since.
enum HardwareEncoders {
    private struct State {
        var found: HardwareEncoder?
        var failed: Set<HardwareEncoder> = []
    }

    private static let state = Lock(State())
    /// The longest that a trial may take.
    private static let limit: Duration = .seconds(10)

    /// The one to use; nil before ``probe(_:)`` has found one, or when there is none.
    static var best: HardwareEncoder? { state.withLock { $0.found } }

    /// Tries those there are, in their order, until one is good. Blocks for seconds where there is one.
    static func probe(_ candidates: [HardwareEncoder] = HardwareEncoder.candidates) {
        let failed = state.withLock { $0.failed }
        if let found = candidates.first(where: { !failed.contains($0) && attempt($0)?.isGood == true }) { use(found) }
    }

    /// Calls that begin from now on use this one, unless it has failed.
    static func use(_ encoder: HardwareEncoder) {
        state.withLock { if !$0.failed.contains(encoder) { $0.found = encoder } }
    }

    /// It has failed in a call, and is not used any more by this process.
    static func fail(_ encoder: HardwareEncoder) {
        state.withLock { state in
            state.failed.insert(encoder)
            if state.found == encoder { state.found = nil }
        }
    }

    /// As after the start of the process.
    static func reset() { state.withLock { $0 = State() } }

    /// Makes the element, set for so many bits a second. Throws ``MediaError``.
    static func make(_ encoder: HardwareEncoder, bitrate: Int) throws(MediaError) -> Element {
        let element = try Element.make(encoder.factory)
        for (name, text) in encoder.fixed { gst_util_set_object_arg(element.pointer(), name, text) }
        for (name, number) in encoder.bounded { element.setNearest(name, number) }
        for (name, number) in encoder.settings(bitrate: bitrate) { element.setNearest(name, number) }
        return element
    }

    /// What an encoder makes of moving pictures, the rate of which is to fall at the half; nil when it can't even be made.
    static func attempt(_ encoder: HardwareEncoder) -> EncoderTrial? {
        guard let element = try? make(encoder, bitrate: 2_000_000), let run = try? TrialRun(element) else { return nil }
        return run.result(within: limit) {
            for (name, number) in encoder.settings(bitrate: TrialRun.allowed) { element.setNearest(name, number) }
        }
    }
}

/// A pipeline in which an encoder is tried.
private final class TrialRun: Sendable {
    private struct State {
        var trial = EncoderTrial()
        var given: [UInt64: [UInt8]] = [:]
        var bytes = 0
        var hasAsked = false
    }

    /// Bits a second that are allowed in the second half.
    static let allowed = 400_000
    private static let (width, height, rate, count) = (640, 360, 30, 90)
    private let state = Lock(State())
    private let pipeline: Pipeline
    private let (given, output, decoder): (Pad, Pad, Pad)
    private let decoded: Element
    private let over = DispatchSemaphore(value: 0)

    init(_ encoder: Element) throws(MediaError) {
        let over = over
        pipeline = try Pipeline { message in
            if case .latencyChanged = message { return }
            over.signal()
        }
        let source = try Element.bin(
            """
            videotestsrc num-buffers=\(Self.count) pattern=smpte horizontal-speed=4 ! \
            video/x-raw,format=I420,width=\(Self.width),height=\(Self.height),framerate=\(Self.rate)/1 ! \
            identity name=given ! videoconvert
            """)
        let sink = try Element.bin("vp8dec ! videoconvert ! video/x-raw,format=I420 ! appsink name=decoded sync=false")
        pipeline.element.add(source, encoder, sink)
        guard source.link(to: encoder), encoder.link(to: sink), let given = try source.child("given").pad("src"),
            let output = encoder.pad("src"), let decoder = sink.pad("sink")
        else { throw .pipeline("no encoder") }
        (self.given, self.output, self.decoder) = (given, output, decoder)
        decoded = try sink.child("decoded")
    }

    /// Runs it, and has `slow` lower the rate at the half.
    func result(within limit: Duration, slow: @escaping @Sendable () -> Void) -> EncoderTrial {
        given.onBuffer { [weak self] _, buffer in
            guard let self, let number = give(buffer) else { return }
            if number == Self.count / 2 { slow() }
            if number == Self.count * 2 / 3 {
                state.withLock { $0.hasAsked = true }
                decoder.requestKeyFrame()
            }
        }
        output.onBuffer { [weak self] _, buffer in self?.receive(buffer) }
        decoded.onSample { [weak self] in self?.compare($0) }
        if pipeline.element.setState(GST_STATE_PLAYING) { _ = over.wait(timeout: .now() + DispatchTimeInterval(limit)) }
        pipeline.close()
        return state.withLock { state in
            state.trial.allowed = Self.allowed
            // After the key frame that was asked for.
            state.trial.made = state.bytes * 8 * Self.rate / (Self.count / 3)
            return state.trial
        }
    }

    /// Keeps a picture; gives its number.
    private func give(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Int? {
        guard let luma = Self.luma(of: buffer) else { return nil }
        return state.withLock { state in
            state.trial.given += 1
            state.given[UInt64(buffer.pointee.pts)] = luma
            return state.trial.given
        }
    }

    private func receive(_ frame: UnsafeMutablePointer<GstBuffer>) {
        let bytes = Int(gst_buffer_get_size(frame))
        let isKeyFrame = frame.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
        state.withLock { state in
            guard state.hasAsked else { return }
            if isKeyFrame { state.trial.madeKeyFrame = true } else { state.bytes += bytes }
        }
    }

    private func compare(_ sample: Sample) {
        guard let luma = Self.luma(of: sample.buffer) else { return }
        state.withLock { state in
            state.trial.decoded += 1
            guard let given = state.given.removeValue(forKey: UInt64(sample.buffer.pointee.pts)) else { return }
            let step = 7
            let places = Swift.stride(from: 0, to: min(given.count, luma.count), by: step)
            let sum = places.reduce(0) { $0 + abs(Int(given[$1]) - Int(luma[$1])) }
            state.trial.difference = Double(sum * step) / Double(max(given.count, 1))
        }
    }

    /// The brightness of each point of a picture in I420 whose rows have no gaps.
    private static func luma(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8]? {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        guard Int(map.size) >= width * height else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: map.data, count: width * height))
    }
}
