import Cryptography

/// The secret by which one member of a group call seals its frames, as it is given to the others.
///
/// A new epoch has a secret that has nothing to do with the one before: who has left can't follow. A step hashes the secret on: who
/// comes can't go back.
public struct GroupFrameKey: Sendable, Equatable {
    package static let secretSize = 32

    public let epoch: UInt8
    public let step: UInt8
    public let secret: SecretBytes

    /// A key. Throws ``GroupFrameError/invalidKey`` unless the secret has 32 bytes.
    public init(epoch: UInt8, step: UInt8, secret: SecretBytes) throws(GroupFrameError) {
        guard secret.count == Self.secretSize else { throw .invalidKey }
        (self.epoch, self.step, self.secret) = (epoch, step, secret)
    }

    /// The key of the next step, in the call with this identifier of 16 bytes. Throws ``GroupFrameError/exhausted`` behind step 255.
    public func next(in call: [UInt8]) throws(GroupFrameError) -> GroupFrameKey {
        guard step < .max else { throw .exhausted }
        let next = HKDF.sha256(
            salt: call, inputKey: secret, info: Array("parley group step 1".utf8), count: Self.secretSize)
        return try GroupFrameKey(epoch: epoch, step: step + 1, secret: next)
    }

    /// The key of a later step of the same epoch.
    func advanced(to later: UInt8, in call: [UInt8]) throws(GroupFrameError) -> GroupFrameKey {
        guard later >= step else { throw .foreignStep }
        var key = self
        while key.step < later { key = try key.next(in: call) }
        return key
    }

    /// Whether both are of one epoch and one follows from the other.
    func isOfOneChain(with other: GroupFrameKey, in call: [UInt8]) -> Bool {
        guard epoch == other.epoch else { return false }
        let (early, late) = step <= other.step ? (self, other) : (other, self)
        return (try? early.advanced(to: late.step, in: call)) == late
    }
}
