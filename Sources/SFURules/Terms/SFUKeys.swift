import COpenSSL
import Cryptography
import Signaling

/// The plugins of a Janus that are used.
enum JanusPlugin {
    static let videoRoom = "janus.plugin.videoroom"
}

/// What a server wants to see, as far as it wants anything.
public struct SFUKeys: Sendable, Equatable {
    /// The key for making rooms (`admin_key`).
    public var roomKey: SecretText?
    /// What goes with each request. Members have it from their host; it counts before the secret.
    public var token: SecretText?
    /// The secret that the server checks tokens with (`token_auth_secret`): who has it makes tokens.
    public var tokenSecret: SecretText?

    /// Keys.
    public init(roomKey: SecretText? = nil, token: SecretText? = nil, tokenSecret: SecretText? = nil) {
        (self.roomKey, self.token, self.tokenSecret) = (roomKey, token, tokenSecret)
    }

    /// The token to be used: the one that was given, or one made of the secret. `wallClock` in seconds since 1970.
    package func usedToken(wallClock: Int64) -> SecretText? {
        token ?? madeToken(wallClock: wallClock)
    }

    /// A token made of the secret; nil without one, and where a token was given.
    package func madeToken(wallClock: Int64) -> SecretText? {
        guard token == nil else { return nil }
        return tokenSecret.map { SFUToken.make(secret: $0, until: wallClock + SFUToken.lifetime) }
    }
}

/// A token that a server checks by a secret, without knowing whom it was given to (Janus, “Stored token based authentication”,
/// signed tokens).
enum SFUToken {
    /// How long tokens are good that are made for a call, in seconds: 12 hours.
    static let lifetime: Int64 = 12 * 60 * 60

    /// Makes one that is good for rooms until `until`, in seconds since 1970: `EXPIRY,janus,PLUGIN:` and the HMAC-SHA1 of what stands
    /// before the colon, in base64.
    static func make(secret: SecretText, until: Int64) -> SecretText {
        let content = "\(until),janus,\(JanusPlugin.videoRoom)"
        let text = Array(content.utf8)
        let key = Array(secret.text.utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        _ = HMAC(EVP_sha1(), key, Int32(clamping: key.count), text, text.count, &digest, &count)
        return SecretText(content + ":" + base64(digest))
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(Int(max(0, count))), as: UTF8.self)
    }
}
