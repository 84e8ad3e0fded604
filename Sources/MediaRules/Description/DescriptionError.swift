/// Why a session description was refused.
public enum DescriptionError: Error, Equatable, Sendable {
    /// Longer than ``SessionDescriptionLimits/bytes``, or more lines than its `lines`.
    case tooLarge
    /// A line that is not `type=value`; the value is the line's number, from 1.
    case malformedLine(Int)
    /// It does not begin with `v=0`.
    case notASessionDescription
    /// The number of m-lines is not one that a call has; the value is that number.
    case mediaCount(Int)
    /// An m-line is not of the kind its place asks for; the value is its index.
    case mediaKind(Int)
    /// An m-line does not use DTLS-SRTP (`UDP/TLS/RTP/SAVPF`); the value is its index.
    case notEncrypted(Int)
    /// An m-line has no `a=mid`, or an overlong one; the value is its index.
    case missingMid(Int)
    /// Two m-lines share one `a=mid`.
    case duplicateMid(String)
    /// An answer's m-lines are not those of the offer.
    case midsDiffer
    /// The m-lines are not all in one bundle.
    case notBundled
    /// An m-line has no ICE user fragment or password; the value is its index.
    case missingICECredentials(Int)
    /// No certificate fingerprint: no fingerprint, no call.
    case missingFingerprint
    /// Fingerprints, but none that is SHA-256.
    case unsupportedFingerprint
    /// A fingerprint that is not 32 colon-separated hexadecimal bytes.
    case malformedFingerprint
    /// More than one SHA-256 fingerprint.
    case conflictingFingerprints
    /// `a=setup` is missing or is not allowed here.
    case setupRole
    /// An audio m-line lacks Opus, or a video m-line VP8; the value is the codec.
    case missingCodec(String)
    /// An m-line announces more sources than a call has use for; the value is its index.
    case tooManySources(Int)
}
