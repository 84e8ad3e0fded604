/// What a look at webrtcbin shows.
package struct TransportSight: Sendable, Equatable {
    /// What ICE has come to.
    package enum Path: Sendable, Equatable, CaseIterable { case searching, found, failed }

    /// One DTLS transport.
    package enum Channel: Sendable, Equatable {
        case settingUp
        /// It stands, and the peer showed a certificate with this fingerprint, which may be readable a moment later.
        case connected(Fingerprint?)
        case failed
        /// One side has ended it, in order.
        case over

        fileprivate var isConnected: Bool { if case .connected = self { true } else { false } }
    }

    package var path = Path.searching
    package var channels: [Channel] = []

    /// What is seen.
    package init(path: Path = .searching, channels: [Channel] = []) { (self.path, self.channels) = (path, channels) }

    /// Whether there is a path. A channel that stands has one, also where ICE has not told it yet.
    var hasPath: Bool { path == .found || channels.contains(where: \.isConnected) }

    /// What is to be held of the peer.
    enum Verdict: Sendable, Equatable {
        /// There is too little to see yet.
        case undecided
        /// DTLS failed.
        case failed
        /// It is the one that it says it is.
        case genuine
        /// It showed another certificate, or the bundle is broken.
        case forged
    }

    /// Judges the channels by what the peer's description announces.
    func verdict(announced: Fingerprint) -> Verdict {
        if channels.contains(.failed) { return .failed }
        // The certificate is stored before the state changes; if it is not there the next look will see it.
        guard channels.contains(where: \.isConnected), !channels.contains(.connected(nil)) else { return .undecided }
        return channels == [.connected(announced)] ? .genuine : .forged
    }
}
