import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// What the elements of one transport tell it, from threads of their own.
enum TransportSignal: Sendable {
    case candidate(MediaCandidate)
    case gatheringComplete
    /// ICE or DTLS moved on: look at them.
    case stateChanged
    case latencyChanged
    case firstFrame(FrameKind)
    /// The peer has sent a tone.
    case tone(Tone)
    /// The peer says which of its sources are on.
    case statement(MediaStatement)
    /// What the peer says that it gets, where it gives no feedback on each packet.
    case reception(ReceptionReport)
    /// The address behind a candidate's name.
    case nameFound(LocalName, String)
    /// The peer says that it leaves the call.
    case peerLeft
    /// A time has come that was waited for.
    case woke
    /// The pipeline can't go on.
    case failed(String)
}

/// Connects a transport's pipeline to it: everything GStreamer says goes into one stream of ``TransportSignal``.
///
/// The handlers hold neither the transport nor an element; `disconnect` takes them off.
final class TransportSignals: Sendable {
    let stream: AsyncStream<TransportSignal>
    let send: AsyncStream<TransportSignal>.Continuation
    private let connections = Lock<[SignalConnection]>([])
    let jitterBuffers: JitterBuffers
    let retransmissions = RetransmissionGate()

    /// `jitterLatency` in milliseconds is that of the call's beginning.
    init(jitterLatency: Int) {
        jitterBuffers = JitterBuffers(latency: jitterLatency)
        (stream, send) = AsyncStream.makeStream()
    }

    /// Takes pipeline messages.
    func receive(_ message: Pipeline.Message) {
        switch message {
        case .error(let text): send.yield(.failed(text))
        case .latencyChanged: send.yield(.latencyChanged)
        case .endOfStream: break
        }
    }

    /// Sets up what has to happen to elements that webrtcbin makes inside itself, before there are any.
    func prepare(_ pipeline: Element, certificate: CallCertificate?, packets: PacketGuard, tones: ToneLine) {
        keep(
            pipeline.connectOnEmittingThread("deep-element-added") { [retransmissions] arguments in
                guard let object = arguments.object(1) else { return }
                let element = Element(retaining: object.pointer() as UnsafeMutableRawPointer)
                packets.watch(element)
                tones.watch(element)
                switch element.factoryName {
                case "dtlssrtpdec": if let certificate { element.set("pem", certificate.pem) }
                case "rtprtxsend": retransmissions.watch(element)
                // Play from the first packet instead of first filling the buffer.
                case "rtpjitterbuffer": element.set("faststart-min-packets", 1)
                default: break
                }
            })
    }

    /// Listens to a webrtcbin. `mids` are known when its pads appear.
    func connect(_ bin: WebRTCBin, chains: ReceiveChains, mids: @escaping @Sendable () -> [String]) {
        let element = bin.element
        if let rtpbin = try? element.child("rtpbin") { keep(jitterBuffers.listen(to: rtpbin)) }
        keep(
            element.connectOnEmittingThread("on-ice-candidate") { [send] arguments in
                guard let index: Int = arguments.get(0), let text: String = arguments.get(1), !text.isEmpty else {
                    return
                }
                let mids = mids()
                let mid = mids.indices.contains(index) ? mids[index] : nil
                send.yield(.candidate(MediaCandidate(candidate: text, mid: mid, mLineIndex: index)))
            })
        keep(
            element.connectOnEmittingThread("notify::ice-gathering-state") { [send] arguments in
                if arguments.sender?[property: "ice-gathering-state"] as Int32? == 2 { send.yield(.gatheringComplete) }
            })
        for property in ["ice-connection-state", "connection-state"] {
            keep(element.connectOnEmittingThread("notify::" + property) { [send] _ in send.yield(.stateChanged) })
        }
        keep(
            element.connectOnEmittingThread("pad-added") { [weak chains, jitterBuffers] arguments in
                guard let chains, let sender = arguments.sender, let object = arguments.object(0),
                    let parent = gst_object_get_parent(sender.pointer())
                else { return }
                let pad = Pad(retaining: object.pointer() as UnsafeMutableRawPointer)
                guard gst_pad_get_direction(pad.pointer()) == GST_PAD_SRC else { return gst_object_unref(parent) }
                if let source = pad.capsNumber("ssrc") {
                    jitterBuffers.know(source: source, isSound: pad.capsText("media") == "audio")
                }
                chains.attach(pad, in: Element(adopting: parent), mids: mids())
            })
    }

    /// Listens to the DTLS transport, once it exists.
    func connect(_ dtls: DTLSTransport) {
        keep(dtls.connectOnEmittingThread("notify::state") { [send] _ in send.yield(.stateChanged) })
    }

    private func keep(_ connection: SignalConnection) { connections.withLock { $0.append(connection) } }

    /// Takes all handlers off and ends the stream.
    func disconnect() {
        let all = connections.withLock { connections in
            defer { connections = [] }
            return connections
        }
        for connection in all { connection.disconnect() }
        jitterBuffers.clear()
        retransmissions.clear()
        send.finish()
    }
}
