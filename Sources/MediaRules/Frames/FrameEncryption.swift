import Cryptography

/// How the frames of a call are to be protected on top of DTLS-SRTP.
public enum FrameEncryption: Sendable, Equatable {
    /// Not known yet: no frame leaves and none is shown.
    case undecided
    /// Both sides agreed to do without.
    case none
    /// AES-256-GCM with this key of 32 bytes.
    case aes256GCM(SecretBytes)

    /// `"aes-256-gcm"` or `"none"`, for reports.
    public var name: String {
        switch self {
        case .undecided, .none: "none"
        case .aes256GCM: "aes-256-gcm"
        }
    }
}
