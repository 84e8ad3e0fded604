/// The beginning of an HTTP request as it comes in, bounded; a value that does no I/O.
package struct MetricsRequest {
    package enum Outcome: Equatable {
        /// The request's head is not complete.
        case incomplete
        /// The page was asked for; its body is wanted unless the method was HEAD.
        case page(withBody: Bool)
        /// Status and reason of a refusal.
        case refused(Int, String)
    }

    /// More than any scraper sends.
    static let maximumHead = 8_192

    private var head: [UInt8] = []

    package init() {}

    /// More bytes came.
    package mutating func receive(_ bytes: some Sequence<UInt8>) -> Outcome {
        for byte in bytes {
            head.append(byte)
            if head.count > Self.maximumHead { return .refused(431, "Request Header Fields Too Large") }
            if byte == UInt8(ascii: "\n"), isComplete { return judge() }
        }
        return .incomplete
    }

    /// An empty line ends the head (RFC 9112 §2.1; a bare line feed is taken for a line's end, §2.2).
    private var isComplete: Bool {
        head.suffix(4).elementsEqual("\r\n\r\n".utf8) || head.suffix(2).elementsEqual("\n\n".utf8)
    }

    private func judge() -> Outcome {
        let line = head.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            return .refused(400, "Bad Request")
        }
        let path = words[1].prefix { $0 != "?" }
        guard path == "/metrics" else { return .refused(404, "Not Found") }
        switch words[0] {
        case "GET": return .page(withBody: true)
        case "HEAD": return .page(withBody: false)
        default: return .refused(405, "Method Not Allowed")
        }
    }
}
