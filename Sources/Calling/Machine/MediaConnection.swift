import BaseKit
import Signaling

/// Whether the call's media is open, and what it has reported of its connection and of the peer.
struct MediaConnection: Sendable {
    private(set) var isOpen = false
    private(set) var isFingerprintVerified = false
    private(set) var isDTLSConnected = false
    private(set) var peerMicrophone = false
    private(set) var peerCamera = false
    private(set) var peerScreen = false
    private(set) var isPeerPicturePaused = false
    /// Why media failed.
    private(set) var failure: Cause?

    /// Whether the connection counts: DTLS is done and the certificate is the announced one.
    var isSecure: Bool { isDTLSConnected && isFingerprintVerified }

    /// Media is opened; what an earlier connection proved counts no more.
    mutating func open() {
        isOpen = true
        isDTLSConnected = false
        isFingerprintVerified = false
    }

    /// False if it was not open.
    mutating func close() -> Bool {
        defer { isOpen = false }
        return isOpen
    }

    mutating func connectedDTLS() { isDTLSConnected = true }

    mutating func verifiedFingerprint(_ isVerified: Bool) { isFingerprintVerified = isVerified }

    mutating func peerSends(microphone: Bool, camera: Bool, screen: Bool, isPicturePaused: Bool) {
        peerMicrophone = microphone
        peerCamera = camera
        peerScreen = screen
        isPeerPicturePaused = isPicturePaused
    }

    mutating func failed(_ cause: Cause) { failure = cause }
}
