import CGStreamer
import GLibKit
import MediaRules

/// `parleyframeencrypt`: encrypts every encoded frame that passes, between encoder and payloader.
///
/// Drops everything until it is configured, the call's protection is decided and the gate is open.
final class FrameEncryptElement: InstancePeer {
    static let gclass: SubclassedType<FrameEncryptElement> = .init(
        name: "ParleyFrameEncrypt", parent: gst_base_transform_get_type()
    ) { structure in
        FrameTransform.describe(structure, name: "Frame encryption", detail: "Encrypts encoded frames with AES-256-GCM")
        let klass = structure.assumingMemoryBound(to: GstBaseTransformClass.self)
        klass.pointee.transform_size = { _, direction, _, size, _, result in
            result?.pointee = direction == GST_PAD_SINK ? size + gsize(FrameTransform.room) : size
            return 1
        }
        klass.pointee.transform = { transform, input, output in
            guard let transform, let input, let output else { return GST_FLOW_ERROR }
            return gclass.peer(of: UnsafeMutableRawPointer(transform)).encrypt(input, into: output)
        }
    }

    private var protector: FrameProtector<any FrameSealing>?
    private var counters: MediaCounters?
    private var slot = MediaSlot.camera

    /// Says what passes here and how it is protected in a call of two. Call before the element runs.
    func configure(slot: MediaSlot, protection: FrameProtection, counters: MediaCounters) {
        (self.slot, self.counters) = (slot, counters)
        protector = FrameProtector(protection: protection) { CallFrameCipher(key: $0, kind: slot.kind) }
    }

    /// Says what passes here, and what seals it behind a gate. Call before the element runs.
    func configure(slot: MediaSlot, gate: FrameProtection, sealing: any FrameSealing, counters: MediaCounters) {
        (self.slot, self.counters) = (slot, counters)
        protector = FrameProtector(gate: gate, cipher: sealing)
    }

    private func encrypt(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> GstFlowReturn {
        switch protector?.treatment() ?? .drop {
        case .drop, .passOver: return FrameTransform.dropped
        case .passThrough:
            guard FrameTransform.copy(input, into: output) else { return FrameTransform.dropped }
        case .cipher(let cipher):
            guard FrameTransform.map(input, output, { cipher.seal($0, into: $1) }) else {
                counters?.countRejectedSent()
                return FrameTransform.dropped
            }
        }
        counters?.countSent(slot)
        return GST_FLOW_OK
    }
}
