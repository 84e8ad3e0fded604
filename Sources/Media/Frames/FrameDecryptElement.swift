import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// `parleyframedecrypt`: decrypts every frame that passes, between depayloader and decoder.
///
/// Fails closed: a frame that does not authenticate is dropped and counted, and a key frame is asked for. Drops everything
/// until it is configured, the call's protection is decided and the gate is open.
final class FrameDecryptElement: InstancePeer {
    static let gclass: SubclassedType<FrameDecryptElement> = .init(
        name: "ParleyFrameDecrypt", parent: gst_base_transform_get_type()
    ) { structure in
        FrameTransform.describe(structure, name: "Frame decryption", detail: "Decrypts frames sealed with AES-256-GCM")
        let klass = structure.assumingMemoryBound(to: GstBaseTransformClass.self)
        klass.pointee.transform_size = { _, _, _, size, _, result in
            result?.pointee = size  // an upper bound; the result is cut to size
            return 1
        }
        klass.pointee.transform = { transform, input, output in
            guard let transform, let input, let output else { return GST_FLOW_ERROR }
            return gclass.peer(of: UnsafeMutableRawPointer(transform)).decrypt(input, into: output)
        }
    }

    private var protector: FrameProtector<any FrameOpening>?
    private var counters: MediaCounters?
    private var kind = FrameKind.video
    private var requests = KeyFrameRequests()
    private var pictures = PictureBudget()

    /// Says what passes here and how it is protected in a call of two. Call before the element runs.
    func configure(kind: FrameKind, protection: FrameProtection, counters: MediaCounters) {
        (self.kind, self.counters) = (kind, counters)
        protector = FrameProtector(protection: protection) { CallFrameCipher(key: $0, kind: kind) }
    }

    /// Says what passes here, and what opens it behind a gate. Call before the element runs.
    func configure(kind: FrameKind, gate: FrameProtection, opening: any FrameOpening, counters: MediaCounters) {
        (self.kind, self.counters) = (kind, counters)
        protector = FrameProtector(gate: gate, cipher: opening)
    }

    private func decrypt(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> GstFlowReturn {
        switch protector?.treatmentOnArrival() ?? .drop {
        case .drop: return drop()
        case .passOver:
            counters?.countHeld()
            requests.passedOver()
            return FrameTransform.dropped
        case .passThrough:
            guard FrameTransform.copy(input, into: output) else { return drop() }
        case .cipher(let cipher):
            switch open(input, into: output, by: cipher) {
            case .opened: break
            case .placed(_, let place):
                // Whether it is decoded is said where the ways of a member meet.
                place.mark(output)
                return GST_FLOW_OK
            case .repeated: return FrameTransform.dropped
            case .refused:
                counters?.countRejectedReceived()
                return drop()
            }
        }
        return kind == .video ? verdict(on: output) : GST_FLOW_OK
    }

    private func open(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>,
        by cipher: any FrameOpening
    ) -> FrameOpeningOutcome {
        var outcome = FrameOpeningOutcome.refused
        let isMapped = FrameTransform.map(input, output) { frame, place in
            outcome = cipher.open(frame, into: place)
            switch outcome {
            case .opened(let count), .placed(let count, _): return count
            case .repeated, .refused: return nil
            }
        }
        // Without memory for it nothing was opened; what came before was.
        return isMapped || outcome == .repeated ? outcome : .refused
    }

    private func drop() -> GstFlowReturn {
        if kind == .video, requests.dropped(now: .now) { requestKeyFrame() }
        return FrameTransform.dropped
    }

    private func verdict(on frame: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
        var firstByte: UInt8 = 0
        guard gst_buffer_extract(frame, 0, &firstByte, 1) == 1 else { return FrameTransform.dropped }
        let isKeyFrame = VP8Frame.isKeyFrame(firstByte: firstByte)
        // Key frames alone say a size; nothing is allocated for the others.
        guard isKeyFrame ? pictures.admits(header: Self.header(of: frame), now: .now) : pictures.admitsSame(now: .now)
        else {
            counters?.countRejectedReceived()
            return drop()
        }
        switch requests.accepted(isKeyFrame: isKeyFrame, now: .now) {
        case .decode: return GST_FLOW_OK
        case .skip(let request):
            if request { requestKeyFrame() }
            return FrameTransform.dropped
        }
    }

    private static func header(of frame: UnsafeMutablePointer<GstBuffer>) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 10)
        header.removeLast(header.count - Int(gst_buffer_extract(frame, 0, &header, gsize(header.count))))
        return header
    }

    /// The depayloader's RTP session turns the event into a picture loss indication (RFC 4585 §6.3.1).
    private func requestKeyFrame() {
        let transform: UnsafeMutablePointer<GstBaseTransform> = pointer()
        Pad(retaining: UnsafeMutableRawPointer(transform.pointee.sinkpad)).requestKeyFrame()
    }
}
