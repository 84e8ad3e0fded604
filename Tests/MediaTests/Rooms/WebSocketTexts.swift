import TestSupport

/// The texts in what a client has said on a connection that became a WebSocket (RFC 6455 §5.2).
enum WebSocketTexts {
    private static let text: UInt8 = 1

    static func parse(_ bytes: [UInt8]) throws -> [String] {
        // Behind the request of HTTP.
        let end = Array("\r\n\r\n".utf8)
        guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return [] }
        var (rest, texts) = (bytes[(head + end.count)...], [String]())
        while rest.count >= 2 {
            let (kind, first) = (rest.removeFirst() & 0x0F, rest.removeFirst())
            guard first & 0x80 != 0 else { throw Overdue("A client's frame has no mask.") }
            let short = Int(first & 0x7F)
            let wide = short == 126 ? 2 : short == 127 ? 8 : 0
            // Cut off where it was looked at.
            guard rest.count >= wide else { break }
            let count = wide == 0 ? short : rest.prefix(wide).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(wide)
            guard rest.count >= 4 + count else { break }
            let mask = Array(rest.prefix(4))
            let payload = rest.dropFirst(4).prefix(count).enumerated().map { $1 ^ mask[$0 % 4] }
            rest = rest.dropFirst(4 + count)
            if kind == text { texts.append(String(decoding: payload, as: UTF8.self)) }
        }
        return texts
    }
}
