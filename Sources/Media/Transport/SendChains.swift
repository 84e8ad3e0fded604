import MediaRules

/// The ways of what the one transport of a call of two sends, by m-line.
struct SendChains: TransportSenders {
    private(set) var chains: [MediaSlot: SendChain] = [:]
    /// The sources in our description.
    private(set) var sources: Set<UInt32> = []
    /// That of the microphone.
    private(set) var voice: UInt32?

    /// What keeps the pictures within what the network carries.
    var control: SendControl? { chains[.camera]?.control }

    /// Adds a chain for each of these m-lines, also for the screen's, whose valves stay closed until it is shared. `formerRate` is
    /// what was well on the transport before, in bits a second. Throws ``MediaError``.
    mutating func add(_ labels: [MediaLabel], to parts: TransportParts, formerRate: Int?) throws(MediaError) {
        for label in labels { try add(label, to: parts, formerRate: formerRate) }
    }

    private mutating func add(_ label: MediaLabel, to parts: TransportParts, formerRate: Int?) throws(MediaError) {
        let chain = try SendChain(
            label: label, protection: parts.protection, counters: parts.counters, formerRate: formerRate)
        try parts.bin.addSender(chain.element, slot: chain.slot)
        chains[label.slot] = chain
        sources.insert(label.ssrc)
        if label.slot == .microphone { voice = label.ssrc }
        if label.slot == .camera { chain.probe(by: parts.signals.retransmissions, source: label.ssrc) }
        guard let control else { return }
        chains[.microphone]?.follow(control)
        if label.slot == .screen { try chain.share(with: control) }
        guard label.slot.kind == .video else { return }
        parts.signals.retransmissions.onRefusal(of: label.ssrc) { [weak control, slot = label.slot] in
            control?.needKeyFrame(ofScreen: slot == .screen)
        }
    }

    func expectFeedback() { control?.expectFeedback() }

    func receive(_ feedback: [PacketReport]) { control?.receive(feedback) }

    func setView(_ size: PictureSize?) { control?.setView(size) }

    func setScreenView(_ size: PictureSize?) { control?.setScreenView(size) }

    /// Lets nothing through any more.
    func shut() { for chain in chains.values { chain.setOpen(false) } }

    /// Lets go of all.
    mutating func close() {
        for chain in chains.values { chain.control?.close() }
        chains = [:]
    }
}
