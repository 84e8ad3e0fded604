import CGStreamer
import GLibKit
import MediaRules

/// The way of captured frames to the network in a call of two: a ``SealingChain`` and, without a thread between them, a
/// ``PacketChain``.
///
/// Encoder and payloader stay for the whole call. While it is shut nothing is encoded and no RTP leaves.
struct SendChain: Sendable {
    let slot: MediaSlot
    let element: Element
    /// Keeps pictures within what the network carries; the camera's does so for the screen too. Nil for the others.
    let control: SendControl?
    private let sealing: SealingChain
    private let packets: PacketChain

    /// Builds the chain; frames come once an inlet is connected to its source. `formerRate` is what was well on the transport
    /// before, in bits a second. Throws ``MediaError``.
    init(
        label: MediaLabel, protection: FrameProtection, counters: MediaCounters, formerRate: Int? = nil
    ) throws(MediaError) {
        slot = label.slot
        element = try Element.bin(
            "\(SealingChain.description(of: label.slot)) ! \(PacketChain.description(of: label.slot.kind))")
        sealing = try SealingChain(in: element, slot: label.slot)
        packets = try PacketChain(in: element, label: label)
        FrameEncryptElement.gclass.peer(of: sealing.protect).configure(
            slot: label.slot, protection: protection, counters: counters)
        guard label.slot == .camera else {
            control = nil
            return
        }
        let pacing = Pacing()
        packets.pace(by: pacing, dropsWaiting: true)
        control = try sealing.control(by: GradientController(former: formerRate), pacing: pacing)
    }

    /// Where captured frames go in.
    var source: Element { sealing.source }

    /// Lets the sound's encoder follow what the pictures' control finds out about losses.
    func follow(_ control: SendControl) { sealing.follow(control) }

    /// Lets the screen's encoder and packets share what the network carries with the camera's.
    func share(with control: SendControl) throws(MediaError) {
        packets.pace(by: control.pacing)
        try sealing.share(with: control)
    }

    /// Lets the control find out what the network carries, by packets of this chain that are sent again.
    func probe(by gate: RetransmissionGate, source: UInt32) {
        guard let control, let pad = packets.output else { return }
        let sender = ProbeSender(source: source, gate: gate)
        sender.listen(at: pad)
        control.setProbes(sender)
    }

    /// Lets frames through or stops RTP.
    func setOpen(_ isOpen: Bool) { sealing.setOpen(isOpen) }
}
