// How two Parleys tell each other that a call can get a new transport, and which one a message is about.
//
// Other programs don't see it: unknown attributes of a session description are passed over (RFC 8866 §5.13), and so is a
// candidate list that is no array (Calls fact sheet §6).
extension SessionDescription {
    /// The name of the attribute of the session level.
    static let attribute = "x-parley-transport"
    /// The highest number of a transport.
    public static let highestTransportNumber = 65_535

    /// The number of the transport this is for: 0 for a call's first. Nil when its writer can't replace a transport.
    public var transportNumber: Int? {
        for line in sdp.utf8.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            // Attributes of the session stand before the first m-line.
            if line.starts(with: "m=".utf8) { return nil }
            guard line.starts(with: "a=\(Self.attribute):".utf8) else { continue }
            let value = String(decoding: line.dropFirst(Self.attribute.utf8.count + 3), as: UTF8.self)
            guard value.utf8.count <= 5, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value),
                number <= Self.highestTransportNumber
            else { return nil }
            return number
        }
        return nil
    }

    /// The same with the number of its transport. A text that is no session description stays as it is.
    public func numbered(_ number: Int) -> SessionDescription {
        guard sdp.hasPrefix("v=0"), let end = Self.endOfSession(sdp) else { return self }
        var numbered = self
        numbered.sdp.insert(contentsOf: "a=\(Self.attribute):\(number)\r\n", at: end)
        return numbered
    }

    /// Where the first m-line begins.
    private static func endOfSession(_ sdp: String) -> String.Index? {
        var start = sdp.startIndex
        while start < sdp.endIndex {
            if sdp[start...].hasPrefix("m=") { return start }
            guard let newline = sdp[start...].firstIndex(where: \.isNewline) else { return nil }
            start = sdp.index(after: newline)
        }
        return nil
    }

    /// The first ICE user name fragment: everything is bundled, so it is the only one in use.
    public var usernameFragment: String? {
        for line in sdp.utf8.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A })
        where line.starts(with: "a=ice-ufrag:".utf8) {
            let value = String(decoding: line.dropFirst(12), as: UTF8.self)
            return value.isEmpty || value.utf8.count > 256 ? nil : value
        }
        return nil
    }
}

/// What `x.call.extra` holds in the place of a list of candidates when the caller wants a new transport.
enum TransportRequest {
    static let key = "parleyTransport"

    static func pack(after number: Int) -> String {
        LZString.compressToBase64(JSONValue.object([key: .integer(number)]).text)
    }

    /// The number of the last transport that its writer knows; nil when it is something else.
    static func number(in value: JSONValue) -> Int? {
        guard let number = value.object?[key]?.integer, (0...SessionDescription.highestTransportNumber).contains(number)
        else { return nil }
        return number
    }
}
