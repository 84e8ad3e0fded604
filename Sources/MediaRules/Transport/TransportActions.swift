import BaseKit

extension TransportMachine {
    /// What is to be done: by the transport first, then by its session, which tells what two people learn of their way before it does
    /// the rest.
    package struct Actions: Sendable, Equatable {
        package var transport: [TransportAction] = []
        package var pair: [PairAction] = []
        package var session: [SessionAction] = []

        package init(transport: [TransportAction] = [], pair: [PairAction] = [], session: [SessionAction] = []) {
            (self.transport, self.pair, self.session) = (transport, pair, session)
        }

        package static func + (first: Self, second: Self) -> Self {
            Self(
                transport: first.transport + second.transport, pair: first.pair + second.pair,
                session: first.session + second.session)
        }
    }

    /// What the transport does around its webrtcbin.
    package enum TransportAction: Sendable, Equatable {
        /// Look at ICE and DTLS soon.
        case look
        /// Let ICE check these candidates of the peer.
        case contact([MediaCandidate])
        /// Look these names up on the own link.
        case resolve([LocalName])
        /// The first of our candidates complete the offer or answer.
        case handOver([MediaCandidate])
        /// Say when this time has come.
        case wake(at: Instant)
        /// Let frames through, both ways.
        case openGate
        /// Stop all frames and signals at once, and let go of everything; before, tell the peer that the call is over, or don't.
        case stop(saysGoodbye: Bool)
    }

    /// What its session does, whoever is at the other end.
    package enum SessionAction: Sendable, Equatable {
        /// Send these further candidates of ours to the peer.
        case candidates([MediaCandidate])
        /// Send on it: the peer's certificate is the announced one.
        case verified
        /// End the call: the certificate is another one.
        case mismatch
        /// No relay gave a candidate in its time.
        case noRelay
        /// Let go of it: it can't go on.
        case failed(MediaError)
    }

    /// What its session does besides where a person is at the other end. Of a way to a server there is none of it.
    package enum PairAction: Sendable, Equatable {
        /// Tell that ICE has found a path.
        case pathFound
        /// Tell that DTLS stands; nothing has flowed yet.
        case channelSetUp
        /// Tell that the first frame of a kind was decoded.
        case firstFrame(FrameKind)
        /// Tell that nothing arrives any more.
        case lost
        /// Tell that something arrives again.
        case recovered
        /// Tell that the peer leaves the call.
        case peerLeft
        /// Let go of it: its successor is in use.
        case replaced
    }
}
