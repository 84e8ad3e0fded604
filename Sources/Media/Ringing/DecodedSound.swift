import BaseKit
import CGStreamer
import Dispatch
import Foundation
import GLibKit
import MediaRules

/// The samples of a file with sound, ready to be played any number of times.
///
/// Unchecked: the buffer is counted atomically and not changed after it is made.
final class DecodedSound: @unchecked Sendable {
    /// Samples in a second, in each of two channels of 16 bit.
    static let rate = 48_000
    static let format = "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=2"
    /// Bytes of one sample in both channels.
    private static let stride = 4
    /// Of a file so much is read: nothing rings longer.
    private static let longest = Duration.seconds(60)
    /// A file that is not read by then is not waited for.
    private static let patience = Duration.seconds(5)

    /// How many samples there are in each channel; at least one.
    let count: Int
    private let buffer: UnsafeMutablePointer<GstBuffer>

    /// Reads a file. Blocks. Throws ``MediaError/soundFile(_:detail:)``, and what is thrown where elements are missing.
    init(_ file: SoundFile) throws(MediaError) {
        let bytes = try Self.bytes(of: file)
        count = bytes.count / Self.stride
        guard count > 0, let copy = g_bytes_new(bytes, gsize(count * Self.stride)) else {
            throw .soundFile(file, detail: nil)
        }
        defer { g_bytes_unref(copy) }
        guard let buffer = gst_buffer_new_wrapped_bytes(copy) else { throw .soundFile(file, detail: nil) }
        self.buffer = buffer
    }

    deinit { gst_buffer_unref(buffer) }

    /// A buffer with a piece of it, for whoever adopts it; the samples are not copied.
    func makeBuffer(_ piece: SoundPieces.Piece) -> UnsafeMutablePointer<GstBuffer>? {
        let part = gst_buffer_copy_region(
            buffer, GST_BUFFER_COPY_MEMORY, gsize(piece.samples.lowerBound * Self.stride),
            gsize(piece.samples.count * Self.stride))
        part?.pointee.pts = GstClockTime(piece.time.wholeNanoseconds)
        part?.pointee.duration = GstClockTime(piece.duration.wholeNanoseconds)
        return part
    }

    private static func bytes(of file: SoundFile) throws(MediaError) -> [UInt8] {
        let reading = Reading(most: Int(longest.inSeconds) * rate * stride)
        let pipeline = try Pipeline { message in
            switch message {
            case .error(let text): reading.end(text)
            case .endOfStream: reading.end(nil)
            case .latencyChanged: break
            }
        }
        defer { pipeline.close() }
        let (source, decoder) = (try Element.make("giosrc"), try Element.make("decodebin"))
        source.set("location", file.address)
        let chain = try Element.bin("audioconvert ! audioresample ! \(format) ! appsink name=samples sync=false")
        try chain.child("samples").onSample { reading.add($0) }
        pipeline.element.add(source, decoder, chain)
        guard source.link(to: decoder) else { throw .soundFile(file, detail: nil) }
        decoder.linkLater("audio/", to: chain)
        pipeline.element.setState(GST_STATE_PLAYING)
        return try reading.wait(within: patience, for: file)
    }
}

extension SoundFile {
    /// Where GIO finds it.
    fileprivate var address: String {
        switch self {
        case .resource(let path): "resource://" + path
        case .file(let path): URL(fileURLWithPath: path).absoluteString
        }
    }
}

/// Collects what a file has, until its end, an error, or so many bytes.
private final class Reading: Sendable {
    private struct State: Sendable {
        var bytes: [UInt8] = []
        var error: String?
        var isOver = false
    }

    private let most: Int
    private let state = Lock(State())
    private let over = DispatchSemaphore(value: 0)

    init(most: Int) { self.most = most }

    func add(_ sample: Sample) {
        var map = GstMapInfo()
        guard gst_buffer_map(sample.buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(sample.buffer, &map) }
        let piece = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
        let isEnough = state.withLock { state in
            guard !state.isOver else { return false }
            state.bytes += piece.prefix(most - state.bytes.count)
            return state.bytes.count >= most
        }
        if isEnough { end(nil) }
    }

    func end(_ error: String?) {
        let isNews = state.withLock { state in
            defer { state.isOver = true }
            if !state.isOver { state.error = error }
            return !state.isOver
        }
        if isNews { over.signal() }
    }

    func wait(within time: Duration, for file: SoundFile) throws(MediaError) -> [UInt8] {
        let isInTime = over.wait(timeout: .now() + DispatchTimeInterval(time)) == .success
        let outcome = state.withLock { state in
            state.isOver = true
            return state
        }
        guard isInTime, outcome.error == nil else { throw .soundFile(file, detail: outcome.error) }
        return outcome.bytes
    }
}
