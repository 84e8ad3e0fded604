import SMP
import TestSupport
import Testing

@Suite("Errors", .timeLimit(.minutes(5)))
struct SMPErrorTests {
    /// The errors of the vectors, by the name the reference implementation prints.
    static let named: [String: SMPError] = [
        "BLOCK": .block, "SESSION": .session, "AUTH": .authentication, "SERVICE": .service, "CRYPTO": .crypto,
        "QUOTA": .quota, "NO_MSG": .noMessage, "LARGE_MSG": .largeMessage, "EXPIRED": .expired,
        "INTERNAL": .internalError, "STORE disk": .store("disk"), "CMD UNKNOWN": .command(.unknown),
        "CMD SYNTAX": .command(.syntax), "CMD PROHIBITED": .command(.prohibited),
        "CMD NO_AUTH": .command(.noAuthenticator), "CMD HAS_AUTH": .command(.hasAuthenticator),
        "CMD NO_ENTITY": .command(.noEntity), "BLOCKED reason=spam": .blocked(.init(reason: "spam")),
        "PROXY BASIC_AUTH": .proxy(.basicAuthentication), "PROXY NO_SESSION": .proxy(.noSession),
        "PROXY PROTOCOL AUTH": .proxy(.relay(.authentication)), "PROXY BROKER HOST": .proxy(.broker(.host)),
        "PROXY BROKER TIMEOUT": .proxy(.broker(.timeout)),
        "PROXY BROKER TRANSPORT VERSION": .proxy(.broker(.transport(.version))),
        "PROXY BROKER TRANSPORT HANDSHAKE IDENTITY": .proxy(.broker(.transport(.handshakeIdentity))),
        "PROXY BROKER RESPONSE \u{3}bad": .proxy(.broker(.response("bad"))),
        "PROXY BROKER UNEXPECTED \u{4}PONG": .proxy(.broker(.unexpected("PONG"))),
    ]

    @Test func `every error of the vectors is written and read as its text`() throws {
        for vector in try Vectors.group("errors").items {
            let text = try vector.text("text")
            let error = try #require(Self.named[text], "\(text)")
            #expect(try error.encoded(17) == Array(text.utf8))
            #expect(try SMPError(decoding: Array(text.utf8)) == error)
        }
    }

    @Test func `network faults are read with and without detail`() throws {
        let cases: [(String, SMPError.NetworkError?)] = [
            ("NETWORK", nil), ("NETWORK CONNECT \u{2}no", .connect("no")), ("NETWORK TLS \u{1}x", .tls("x")),
            ("NETWORK UNKNOWNCA", .unknownAuthority), ("NETWORK FAILED", .failed), ("NETWORK TIMEOUT", .timeout),
            ("NETWORK SUBSCRIBE \0", .subscribe("")),
        ]
        for (text, expected) in cases {
            let bytes = Array("PROXY BROKER \(text)".utf8)
            #expect(try SMPError(decoding: bytes) == .proxy(.broker(.network(expected))))
            #expect(try SMPError.proxy(.broker(.network(expected))).encoded(17) == bytes)
        }
    }

    @Test func `the older name of a missing entity is understood`() throws {
        #expect(try SMPError(decoding: Array("CMD NO_QUEUE".utf8)) == .command(.noEntity))
    }

    @Test func `BLOCKED is AUTH before version 12 and has no notice before 18`() throws {
        let error = SMPError.blocked(.init(reason: "content", notice: #"{"ttl":5}"#))
        #expect(try error.encoded(11) == Array("AUTH".utf8))
        #expect(try error.encoded(17) == Array("BLOCKED reason=content".utf8))
        #expect(try error.encoded(18) == Array(#"BLOCKED reason=content,notice={"ttl":5}"#.utf8))
        #expect(try SMPError(decoding: error.encoded(18)) == error)
    }

    @Test func `a proxy's error inside a proxy's error is read a few levels deep and no further`() throws {
        let four = String(repeating: "PROXY PROTOCOL ", count: 4)
        #expect(try SMPError(decoding: Array("\(four)QUOTA".utf8)).encoded(17) == Array("\(four)QUOTA".utf8))
        let many = String(repeating: "PROXY PROTOCOL ", count: 1_000)
        #expect(throws: SMPDecodingError.invalid("nested error")) { try SMPError(decoding: Array("\(many)QUOTA".utf8)) }
    }

    @Test(arguments: [
        "", "WHAT", "AUTH ", "CMD", "CMD ", "CMD WHAT", "BLOCKED", "BLOCKED because", "BLOCKED reason=a,b", "PROXY",
        "PROXY WHAT", "PROXY BROKER", "PROXY BROKER WHAT", "PROXY BROKER RESPONSE \u{5}bad",
        "PROXY BROKER TRANSPORT HANDSHAKE", "PROXY BROKER TRANSPORT HANDSHAKE X", "PROXY BROKER NETWORK X", "STORE",
    ])
    func `text that is no error is refused`(_ text: String) {
        #expect(throws: SMPDecodingError.self) { try SMPError(decoding: Array(text.utf8)) }
    }
}
