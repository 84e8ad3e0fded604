import Cryptography

/// A STUN or TURN server in the form that webrtcbin takes.
package enum ICEServerAddress: Equatable, Sendable {
    case stun(String)
    case turn(String)

    /// The form of a server that webrtcbin can speak to by itself.
    ///
    /// `turns:` is none of these: webrtcbin would send it unencrypted, so it goes through a ``TLSTunnel``. For `stuns:` the
    /// server is asked by plain STUN: over TLS it would tell the address of a TCP connection, which no candidate of ours
    /// has (Calls fact sheet §5). Nothing in the question or the answer is secret from the network that carries it.
    package init?(_ url: ICEServerURL, username: String?, credential: String?) {
        switch url.scheme {
        case .stun: self = .stun("stun://\(url.place)")
        case .stuns:
            let port = url.port == ICEServerURL.Scheme.stuns.port ? ICEServerURL.Scheme.stun.port : url.port
            self = .stun("stun://\(url.bracketedHost):\(port)")
        case .turn:
            guard let username, let credential else { return nil }
            // Without its name webrtcbin would try both.
            self = .turn(Self.turn("\(url.place)?transport=\(url.transport.rawValue)", username, credential))
        case .turns: return nil
        }
    }

    /// A TURN server behind the tunnel that listens at this place.
    package init(tunnel place: String, username: String, credential: String) {
        self = .turn(Self.turn(place + "?transport=tcp", username, credential))
    }

    /// A user name may hold ':' (made credentials), which webrtcbin understands only percent-encoded.
    private static func turn(_ place: String, _ username: String, _ credential: String) -> String {
        "turn://\(encoded(username)):\(encoded(credential))@\(place)"
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                return String(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" + digits : digits)
            }
        }.joined()
    }
}
