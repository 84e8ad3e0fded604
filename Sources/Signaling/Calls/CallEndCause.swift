/// Why a call ends, as far as the peer has to know it to tell its person the truth.
///
/// Parley's own field of `x.call.end` (docs/protocol.md). Programs that don't know it pass over it, as over every unknown field
/// (Calls fact sheet §1), and take the end for an ordinary one; so it needs no agreement.
public enum CallEndCause: String, Sendable, Hashable, CaseIterable {
    /// The sender's device could not start the call's media, or media stopped working.
    case mediaFailed
    /// The sender's person is in another call.
    case busy
    /// The sender does not go on without frame encryption.
    case encryptionRefused
    /// The sender can't use the other side's key.
    case keyAgreementFailed

    static let key = "parleyCause"
}
