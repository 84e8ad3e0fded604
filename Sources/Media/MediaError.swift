/// What can go wrong on the Media floor.
///
/// Each case has one sentence a person can act on (`description`).
public enum MediaError: Error, Equatable, Sendable {
    /// The peer's session description cannot be used.
    case description(DescriptionError)
    /// Elements of GStreamer's that every call needs are not installed.
    case missingElements(MissingElements)
    /// A GStreamer element can't be made; the value is its name.
    case missingElement(String)
    /// GStreamer could not be started; the value is its own message.
    case startFailed(String)
    /// The pipeline stopped with an error; the value is GStreamer's message.
    case pipeline(String)
    /// Offer and answer could not be exchanged; the value says at which step.
    case negotiation(String)
    /// The certificate of the encrypted channel is not the one the peer announced.
    case fingerprintMismatch
    /// ICE found no way to the peer, or none in time.
    case unreachable
    /// A relay (TURN) server can't be used, in a call that may go no other way.
    case relay(RelayServerError)
    /// The peer session has been closed.
    case closed
    /// A camera, microphone or speaker could not be used; the value says which and why.
    case device(String)
}

extension MediaError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .description(let error): error.description
        case .missingElements(let missing): missing.sentence(.ofThisMachine)
        case .missingElement(let name): Self.sentence(missing: name)
        case .startFailed(let message): "The media system could not be started: \(message)."
        case .pipeline(let message): "The call's media stopped: \(message)."
        case .negotiation(let step): "The call's media could not be agreed on (\(step))."
        case .fingerprintMismatch:
            "The call was ended: the encrypted channel does not belong to the person you are calling."
        case .unreachable: "No network path to the other side was found."
        case .relay(let error): error.description
        case .closed: "The call's media is closed."
        case .device(let message): message
        }
    }

    private static func sentence(missing name: String) -> String {
        let known = MissingElements(NeededElement.all.filter { $0.name == name })
        return "The GStreamer element “\(name)” is missing: \(known?.advice(.ofThisMachine) ?? "install its plugin")."
    }
}

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

extension DescriptionError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .missingFingerprint, .unsupportedFingerprint, .malformedFingerprint, .conflictingFingerprints,
            .notEncrypted:
            "The call was refused: the other side did not offer an encrypted channel that can be checked (\(detail))."
        default:
            "The other side's description of the call cannot be used (\(detail))."
        }
    }

    private var detail: String {
        switch self {
        case .tooLarge: "too large"
        case .malformedLine(let number): "line \(number) is malformed"
        case .notASessionDescription: "not a session description"
        case .mediaCount(let count): "\(count) media lines"
        case .mediaKind(let index): "media line \(index) is of the wrong kind"
        case .notEncrypted(let index): "media line \(index) is not encrypted"
        case .missingMid(let index): "media line \(index) has no name"
        case .duplicateMid(let mid): "two media lines are named \(mid)"
        case .midsDiffer: "its media lines are not those offered"
        case .notBundled: "its media lines are not bundled"
        case .missingICECredentials(let index): "media line \(index) has no ICE credentials"
        case .missingFingerprint: "no fingerprint"
        case .unsupportedFingerprint: "no SHA-256 fingerprint"
        case .malformedFingerprint: "malformed fingerprint"
        case .conflictingFingerprints: "several fingerprints"
        case .setupRole: "unusable setup role"
        case .missingCodec(let codec): "no \(codec)"
        case .tooManySources(let index): "media line \(index) has too many sources"
        }
    }
}
