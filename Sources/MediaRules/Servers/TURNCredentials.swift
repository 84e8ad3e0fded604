import COpenSSL
import Cryptography

/// User name and password at a TURN server for a limited time, made of a secret that the server knows
/// (draft-uberti-behave-turn-rest-00 §2.2; coturn's `use-auth-secret`).
struct TURNCredentials: Sendable, Equatable {
    /// How long those that are made for a call are good, in seconds: longer than a call. The server looks at the time when
    /// an allocation is made and each time it is renewed.
    static let lifetime: Int64 = 24 * 60 * 60

    /// `EXPIRY` or `EXPIRY:NAME`; the expiry in seconds since 1970.
    let username: String
    /// Base64 of HMAC-SHA1 of the user name under the secret.
    let password: String

    /// Makes credentials that are good until `expiry` (seconds since 1970); nil for an empty or overlong secret.
    init?(secret: SecretBytes, name: String? = nil, expiry: Int64) {
        guard (1...ICEServerURL.longestSecret).contains(secret.count) else { return nil }
        username = name.map { "\(expiry):\($0)" } ?? "\(expiry)"
        let text = Array(username.utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        let isMade = secret.withUnsafeBytes { key in
            HMAC(EVP_sha1(), key.baseAddress, Int32(key.count), text, text.count, &digest, &count) != nil
        }
        guard isMade, count == 20 else { return nil }
        password = Self.base64(digest)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(Int(max(0, count))), as: UTF8.self)
    }
}

extension ICEServer {
    /// User name and password; those of a shared secret are made for this call. `wallClock` in seconds since 1970; nil without a login.
    package func login(wallClock: Int64) -> (username: String, password: String)? {
        if let secret {
            let made = TURNCredentials(
                secret: SecretBytes(Array(secret.utf8)), name: username,
                expiry: wallClock + TURNCredentials.lifetime)
            return made.map { ($0.username, $0.password) }
        }
        guard let username, let password = credential else { return nil }
        return (username, password)
    }
}
