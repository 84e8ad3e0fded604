/// A STUN or TURN server in the form that webrtcbin takes.
enum ICEServerAddress: Equatable, Sendable {
    case stun(String)
    case turn(String)

    /// Nil for schemes that would not be what they say: webrtcbin sends `turns:` unencrypted and knows no `stuns:`.
    init?(_ server: ICEServer) {
        let parts = server.url.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        let address = parts[1].hasPrefix("//") ? parts[1].dropFirst(2) : parts[1]
        guard !address.contains("@") else { return nil }
        switch parts[0].lowercased() {
        case "stun": self = .stun("stun://\(address)")
        case "turn":
            // A user name may hold ':' (REST credentials), which webrtcbin understands only percent-encoded.
            guard let user = server.username, let credential = server.credential else { return nil }
            self = .turn("turn://\(Self.encoded(user)):\(Self.encoded(credential))@\(address)")
        default: return nil
        }
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
