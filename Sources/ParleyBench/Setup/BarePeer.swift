import BaseKit
import CGStreamer
import Foundation
import GLibKit

/// One webrtcbin that sends a test picture and a tone and decodes what it gets, without anything of Parley's: what a call's
/// set-up is compared with.
///
/// Blocks in its verbs. Unchecked: GStreamer locks its objects inside, and nothing else is stored that changes.
final class BarePeer: @unchecked Sendable {
    /// Called once with the moment of the first decoded picture, on a streaming thread.
    typealias FirstPicture = @Sendable (Instant) -> Void

    private let pipeline: Object
    private let peer: Object
    private let connections = Lock<[SignalConnection]>([])
    private let found = Lock(Found())
    private let isClosed = Flag()

    /// What pictures it sends.
    struct Pictures: Sendable {
        var width = 640
        var height = 480
        /// Bits a second.
        var rate = 1_000_000
        /// Where they come from, as a part of a pipeline, at the pace of a camera.
        var source = "videotestsrc is-live=true pattern=ball"
    }

    private struct Candidate: Sendable {
        var index: Int
        var text: String
    }

    private struct Found: Sendable {
        var candidates: [Candidate] = []
        weak var other: BarePeer?
    }

    /// Makes and starts it. Throws ``BenchError``.
    init(_ pictures: Pictures = Pictures(), onFirstPicture: @escaping FirstPicture) throws {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let made = gst_parse_launch(Self.description(of: pictures), &error),
            let found = gst_bin_get_by_name(
                UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstBin.self), "peer")
        else { throw SetupError(description: "webrtcbin could not be started: \(Self.text(error))") }
        pipeline = Object(retaining: UnsafeMutableRawPointer(made))
        peer = Object(adopting: UnsafeMutableRawPointer(found))
        // The same that Parley sets: no UPnP, play from the first packet.
        if let ice = Self.borrow(peer, "ice-agent"), let agent = Self.borrow(ice, "agent") {
            agent.set("upnp", false)
            agent.set("ice-tcp", false)
        }
        keep(
            pipeline.connectOnEmittingThread("deep-element-added") { arguments in
                guard let element = arguments.object(1), element.typeName == "GstRtpJitterBuffer" else { return }
                element.set("faststart-min-packets", 1)
            })
        keep(
            peer.connectOnEmittingThread("pad-added") { [weak self] arguments in
                guard let pad = arguments.object(0) else { return }
                self?.receive(pad, onFirstPicture)
            })
        keep(
            peer.connectOnEmittingThread("on-ice-candidate") { [weak self] arguments in
                guard let index: Int = arguments.get(0), let text: String = arguments.get(1) else { return }
                self?.found(Candidate(index: index, text: text))
            })
        Thread.detachNewThread { [pipeline = PipelineReference(pipeline), isClosed] in
            Self.followLatency(of: pipeline.object, until: isClosed)
        }
        gst_element_set_state(pipeline.pointer(), GST_STATE_PLAYING)
    }

    /// A pipeline needs somebody who distributes its latency; until then nothing is sent.
    private static func followLatency(of pipeline: Object, until isClosed: Flag) {
        guard let bus = gst_pipeline_get_bus(pipeline.pointer()) else { return }
        defer { gst_object_unref(bus) }
        while !isClosed.isSet {
            guard let message = gst_bus_timed_pop_filtered(bus, 20_000_000, GST_MESSAGE_LATENCY) else { continue }
            gst_message_unref(message)
            gst_bin_recalculate_latency(pipeline.pointer())
        }
    }

    private final class Flag: Sendable {
        private let state = Lock(false)
        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    deinit { close() }

    /// Hands own candidates to the other peer: those found so far, and others as they are found.
    func sendCandidates(to other: BarePeer) {
        for candidate in found.withLock({ state in
            state.other = other
            return state.candidates
        }) {
            other.add(candidate)
        }
    }

    private func add(_ candidate: Candidate) {
        _ = try? peer.emit("add-ice-candidate", candidate.index, candidate.text)
    }

    private func found(_ candidate: Candidate) {
        found.withLock { state -> BarePeer? in
            state.candidates.append(candidate)
            return state.other
        }?.add(candidate)
    }

    /// Makes the offer and sets it.
    func makeOffer() throws -> BareDescription { try make("offer") }

    /// Sets the other's offer, makes the answer and sets it.
    func makeAnswer(to offer: BareDescription) throws -> BareDescription {
        try set(offer, "remote")
        return try make("answer")
    }

    /// Sets the other's answer.
    func apply(_ answer: BareDescription) throws { try set(answer, "remote") }

    /// Stops it.
    func close() {
        isClosed.set()
        for connection in connections.withLock({ $0 }) { connection.disconnect() }
        gst_element_set_state(pipeline.pointer(), GST_STATE_NULL)
    }

    // MARK: Inside

    // As Parley's own chains, so that encoders and formats make no difference.
    private static func description(of pictures: Pictures) -> String {
        // Sources of two peers must differ.
        let source = UInt32.random(in: 1..<UInt32.max)
        return """
            webrtcbin name=peer bundle-policy=max-bundle latency=150 \
            \(pictures.source) ! video/x-raw,width=\(pictures.width),height=\(pictures.height),framerate=30/1 ! \
            videoconvert ! \
            vp8enc deadline=1 cpu-used=-6 threads=1 target-bitrate=\(pictures.rate) end-usage=cbr lag-in-frames=0 \
            keyframe-max-dist=3000 error-resilient=partitions ! rtpvp8pay mtu=1200 ! \
            application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96,ssrc=(uint)\(source) ! peer.sink_0 \
            audiotestsrc is-live=true ! audioconvert ! audioresample ! opusenc bitrate=32000 ! rtpopuspay ! \
            application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=111,ssrc=(uint)\(source + 1) ! peer.sink_1
            """
    }

    private func make(_ kind: String) throws -> BareDescription {
        let promise = gst_promise_new()
        defer { gst_promise_unref(promise) }
        try peer.emit("create-\(kind)", nil, promise.map { UnsafeMutableRawPointer($0) })
        guard gst_promise_wait(promise) == GST_PROMISE_RESULT_REPLIED,
            let value = gst_promise_get_reply(promise).flatMap({ gst_structure_get_value($0, kind) }),
            let boxed = g_value_get_boxed(value),
            let copy = gst_webrtc_session_description_copy(
                boxed.assumingMemoryBound(to: GstWebRTCSessionDescription.self))
        else { throw SetupError(description: "webrtcbin made no \(kind)") }
        let description = BareDescription(copy)
        try set(description, "local")
        return description
    }

    private func set(_ description: BareDescription, _ side: String) throws {
        let promise = gst_promise_new()
        defer { gst_promise_unref(promise) }
        try peer.emit(
            "set-\(side)-description", UnsafeMutableRawPointer(description.raw),
            promise.map { UnsafeMutableRawPointer($0) })
        gst_promise_wait(promise)
    }

    private func receive(_ pad: Object, _ onFirstPicture: @escaping FirstPicture) {
        guard gst_pad_get_direction(pad.pointer()) == GST_PAD_SRC,
            let caps = gst_pad_get_current_caps(pad.pointer())
        else { return }
        defer { gst_caps_unref(caps) }
        let media = gst_structure_get_string(gst_caps_get_structure(caps, 0), "media").map { String(cString: $0) }
        let text =
            media == "video"
            ? "rtpvp8depay ! vp8dec ! fakesink name=out sync=false async=false signal-handoffs=true"
            : "rtpopusdepay ! opusdec ! fakesink name=out sync=false async=false"
        guard let made = gst_parse_bin_from_description(text, 1, nil) else { return }
        let bin = Object(retaining: UnsafeMutableRawPointer(made))
        if media == "video", let out = gst_bin_get_by_name(bin.pointer(), "out") {
            let isFirst = Lock(true)
            let output = Object(adopting: UnsafeMutableRawPointer(out))
            keep(
                output.connectOnEmittingThread("handoff") { _ in
                    let now = Instant.now
                    if isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    }) {
                        onFirstPicture(now)
                    }
                })
        }
        gst_bin_add(pipeline.pointer(), bin.pointer())
        gst_element_sync_state_with_parent(bin.pointer())
        guard let sink = gst_element_get_static_pad(bin.pointer(), "sink") else { return }
        gst_pad_link(pad.pointer(), sink)
        gst_object_unref(sink)
    }

    private func keep(_ connection: SignalConnection) { connections.withLock { $0.append(connection) } }

    /// An object that its owner may never have sunk, as webrtcbin does: it keeps its own reference.
    private static func borrow(_ owner: Object, _ property: String) -> Object? {
        guard let value = owner.value(of: property), let object = g_value_get_object(value.storage) else { return nil }
        if g_object_is_floating(object) != 0 { g_object_ref(object) }
        return Object(retaining: object)
    }

    private static func text(_ error: UnsafeMutablePointer<GError>?) -> String {
        error.map { String(cString: $0.pointee.message) } ?? "unknown error"
    }
}

/// An offer or answer of webrtcbin's.
///
/// Unchecked: owned by this object alone and never changed.
final class BareDescription: @unchecked Sendable {
    let raw: UnsafeMutablePointer<GstWebRTCSessionDescription>

    init(_ raw: UnsafeMutablePointer<GstWebRTCSessionDescription>) { self.raw = raw }

    deinit { gst_webrtc_session_description_free(raw) }
}

/// Why a set-up could not be measured.
struct SetupError: Error, CustomStringConvertible {
    var description: String
}

/// A pipeline on its way to another thread. Unchecked: GStreamer locks its objects inside.
private struct PipelineReference: @unchecked Sendable {
    let object: Object

    init(_ object: Object) { self.object = object }
}
