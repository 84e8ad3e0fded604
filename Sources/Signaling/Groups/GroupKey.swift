import Cryptography

/// `key`: the secret by which the frames of its sender are opened.
public struct GroupKey: Sendable, Equatable {
    /// The bytes of a secret.
    public static let count = 32

    /// Which of the sender's secrets it comes from; each change that not everybody may follow begins a new one.
    public var epoch: UInt8
    /// How many times it was hashed on since then.
    public var step: UInt8
    /// The secret of this step; wiped with its last copy, and never described.
    public var secret: SecretBytes

    /// Makes a key of a secret of 32 bytes.
    public init(epoch: UInt8, step: UInt8, secret: SecretBytes) {
        self.epoch = epoch
        self.step = step
        self.secret = secret
    }
}

extension GroupKey {
    init(json: JSONObject) throws(SignalingError) {
        epoch = UInt8(truncatingIfNeeded: try json.integer("epoch", in: 0...255))
        step = UInt8(truncatingIfNeeded: try json.integer("step", in: 0...255))
        secret = try json.secret("secret", count: Self.count)
    }

    var json: JSONObject {
        ["epoch": .integer(Int(epoch)), "step": .integer(Int(step)), "secret": GroupSecret.json(secret)]
    }
}
