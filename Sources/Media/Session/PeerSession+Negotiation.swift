import Cryptography
import MediaRules

extension PeerSession {
    /// Makes the offer: four m-lines with the mids 0 to 3.
    ///
    /// Takes up to 750 ms, until the first candidates are there. Throws ``MediaError``.
    public func makeOffer() async throws -> LocalDescription {
        try requireOpen()
        let transport = transports.current
        try transport.beginOffer(formerRate: nil)
        connectInlets()
        return try await transport.offer()
    }

    /// Answers an offer.
    ///
    /// Throws ``MediaError/description(_:)`` for an offer that no call may be built on; nothing was contacted then.
    public func makeAnswer(to sdp: String, candidates: [MediaCandidate]) async throws -> LocalDescription {
        try requireOpen()
        let transport = transports.current
        let peer = try transport.beginAnswer(to: sdp, formerRate: nil)
        connectInlets()
        return try await transport.answer(peer, candidates: candidates)
    }

    /// Takes the answer to our offer.
    ///
    /// Throws ``MediaError/description(_:)`` for an answer that no call may be built on; the session is of no use then.
    public func apply(answer sdp: String, candidates: [MediaCandidate]) async throws {
        try requireOpen()
        try await transports.current.apply(answer: sdp, candidates: candidates)
    }

    /// Whether the peer is of the versions with one picture only, in which its screen takes the camera's place; known once
    /// its description has been applied.
    var isPeerOlder: Bool { transports.current.isPeerOlder }

    /// Takes further candidates of the peer. At most 100 are used in all. Names are never resolved but those under which browsers
    /// hide addresses (``LocalName``), by multicast.
    public func add(_ candidates: [MediaCandidate]) { transports.current.add(candidates) }

    /// Decides how frames are protected. No frame leaves while it is `.undecided`.
    func setFrameEncryption(_ encryption: FrameEncryption) {
        for transport in transports.all { transport.protection.set(encryption) }
    }

    func requireOpen() throws(MediaError) {
        if isClosed { throw .closed }
    }

    /// Lets what is captured go to the transport that sends.
    func connectInlets() { devices.inlets.connect(to: senders.mapValues(\.source), withVoice: toneSends == 0) }
}
