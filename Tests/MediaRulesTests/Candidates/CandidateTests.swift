import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct CandidateLineTests {
    static func line(_ address: String, port: Int = 5_000, transport: String = "udp", kind: String = "host") -> String {
        "candidate:1 1 \(transport) 2130706431 \(address) \(port) typ \(kind)"
    }

    private func rejection(_ text: String) -> CandidateLine.Rejection? {
        do {
            _ = try CandidateLine(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a host candidate is read`() throws {
        let line = try CandidateLine(
            parsing: "a=candidate:4 1 UDP 1 2001:db8::1 9 typ srflx raddr 10.0.0.1 rport 8 generation 0")
        #expect(line.address == "2001:db8::1" && line.port == 9 && line.kind == .srflx && line.transport == .udp)
    }

    @Test(arguments: [
        "host.example.org", "4f1c.local", "localhost", "0x7f.1", "1.2.3", "1.2.3.4.5", "::1%eth0", "[::1]",
    ])
    func `a name is recognised as a name and left unresolved`(address: String) {
        #expect(rejection(Self.line(address)) == .nameNotAddress)
    }

    @Test(arguments: [
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "ff02::1", "::ffff:224.0.0.1", "fe80::1", "febf::1",
    ])
    func `an address that no peer can have is refused`(address: String) {
        #expect(rejection(Self.line(address)) == .unusableAddress)
    }

    @Test(arguments: [
        "", "candidate:", "candidate:1 1 udp", "candidate:1 1 udp 1 1.2.3.4 99999 typ host",
        "candidate:1 1 sctp 1 1.2.3.4 9 typ host", "candidate:1 1 udp x 1.2.3.4 9 typ host",
        "candidate:1 1 udp 1 1.2.3.4 9 typ strange", "candidate:1 0 udp 1 1.2.3.4 9 typ host",
        "candidate:1 1 udp 1 1.2.3.4 9 typ host\r\na=setup:active", "candidate:1 1  udp 1 1.2.3.4 9 typ host",
    ]) func `what is no candidate is malformed`(text: String) {
        #expect(rejection(text) == .malformed)
    }

    @Test func `an overlong candidate is refused`() {
        #expect(rejection(Self.line("1.2.3.4") + String(repeating: " x", count: 300)) == .tooLong)
    }

    @Test func `loopback is recognised in each form`() throws {
        for address in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try CandidateLine(parsing: Self.line(address)).isLoopback)
        }
        #expect(try !CandidateLine(parsing: Self.line("192.0.2.1")).isLoopback)
    }

    @Test func `a candidate is written anew with what a check needs, and nothing else`() throws {
        for (text, expected) in [
            (
                "a=candidate:4a+/ 1 UDP 7 2001:DB8:0::1 9 typ srflx raddr 10.0.0.1 rport 8 generation 0 ufrag x",
                "candidate:4a+/ 1 udp 7 2001:db8::1 9 typ srflx"
            ),
            ("candidate:1 01 udp 0007 ::ffff:192.0.2.1 009 typ host x\"y", "candidate:1 1 udp 7 192.0.2.1 9 typ host"),
        ] {
            let line = try CandidateLine(parsing: text)
            #expect(line.text == expected)
            #expect(try CandidateLine(parsing: line.text) == line)
        }
    }

    @Test(arguments: ["+1", "-1", " 1", "1x", "\u{0661}", ""]) func `a number is digits alone`(number: String) {
        #expect(rejection("candidate:1 \(number) udp 1 1.2.3.4 9 typ host") == .malformed)
        #expect(rejection("candidate:1 1 udp \(number) 1.2.3.4 9 typ host") == .malformed)
        #expect(rejection("candidate:1 1 udp 1 1.2.3.4 \(number) typ host") == .malformed)
    }

    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"]) func `a mark that joins a character makes it none`(
        mark: String
    ) {
        #expect(rejection("candidate:\(mark)1 1 udp 1 1.2.3.4 9 typ host") == .malformed)
        let name = "9b36eaac-bb2e-49bb-bb78-21c41c499900.local"
        #expect(CandidateLine.localName(of: "candidate:1 1 udp 1 \(name) 9 typ host") != nil)
        #expect(CandidateLine.localName(of: "candidate:\(mark)1 1 udp 1 \(name) 9 typ host") == nil)
    }

    @Test func `the related address is blanked`() {
        let text = "candidate:1 1 udp 1 192.0.2.1 9 typ relay raddr 10.1.2.3 rport 4444"
        #expect(
            CandidateLine.withoutRelatedAddress(text)
                == "candidate:1 1 udp 1 192.0.2.1 9 typ relay raddr 0.0.0.0 rport 0")
        #expect(CandidateLine.withoutRelatedAddress("x raddr fd00::1 rport 1").hasSuffix("raddr :: rport 0"))
        #expect(CandidateLine.withoutRelatedAddress("x raddr") == "x raddr")
    }

    @Test func `random text never traps`() {
        var generator = SeededGenerator(seed: 8)
        let parts = [
            "candidate:", "1", " ", "udp", "typ", "host", "raddr", "::", "1.2.3.4", "é", "\u{0}", "99999999999",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            _ = try? CandidateLine(parsing: text)
            _ = CandidateLine.withoutRelatedAddress(text)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct CandidateFilterTests {
    static let mids = ["0", "1", "2", "3"]

    static func candidate(
        _ address: String, mid: String? = "0", index: Int = 0, transport: String = "udp", port: Int = 5_000
    ) -> MediaCandidate {
        MediaCandidate(
            candidate: CandidateLineTests.line(address, port: port, transport: transport), mid: mid, mLineIndex: index)
    }

    @Test func `names, TCP, loopback and unknown m-lines are dropped and counted`() {
        var filter = CandidateFilter(allowsLoopback: false)
        let good = Self.candidate("192.0.2.1")
        let accepted = filter.accept(
            [
                Self.candidate("x.local"), Self.candidate("192.0.2.2", transport: "tcp"), good,
                Self.candidate("127.0.0.1"), Self.candidate("192.0.2.3", mid: nil, index: 9),
            ], mids: Self.mids)
        #expect(accepted == [good])
        #expect(filter.rejected == 4)
    }

    @Test func `loopback passes where the peer may live on this machine`() {
        var filter = CandidateFilter(allowsLoopback: true)
        #expect(filter.accept([Self.candidate("127.0.0.1")], mids: Self.mids).count == 1)
    }

    @Test func `the mid decides over the index`() {
        var filter = CandidateFilter(allowsLoopback: false)
        let accepted = filter.accept([Self.candidate("192.0.2.1", mid: "2", index: 77)], mids: Self.mids)
        #expect(accepted.map(\.mLineIndex) == [2])
    }

    @Test func `repetitions count once`() {
        var filter = CandidateFilter(allowsLoopback: false)
        let same = Array(repeating: Self.candidate("192.0.2.1"), count: 5)
        #expect(filter.accept(same, mids: Self.mids).count == 1)
        #expect(filter.accept(same, mids: Self.mids) == [])
    }

    @Test func `one address is used once, whatever else its candidates say`() {
        var filter = CandidateFilter(allowsLoopback: false)
        let loop = (0..<50).map {
            MediaCandidate(
                candidate: "candidate:\($0) 1 udp \($0 + 1) 192.0.2.1 5000 typ \($0 % 2 == 0 ? "host" : "srflx")",
                mid: String($0 % 4), mLineIndex: $0 % 4)
        }
        #expect(filter.accept(loop, mids: Self.mids).count == 1)
        #expect(filter.accept([Self.candidate("::ffff:192.0.2.1")], mids: Self.mids) == [])
        #expect(filter.rejected == 50)
    }

    @Test func `our own address and port are not contacted`() throws {
        var filter = CandidateFilter(allowsLoopback: false)
        filter.add(own: try CandidateLine(parsing: CandidateLineTests.line("192.0.2.1", port: 7)))
        let own = MediaCandidate(candidate: CandidateLineTests.line("192.0.2.1", port: 7), mid: "0", mLineIndex: 0)
        #expect(filter.accept([own], mids: Self.mids) == [])
        #expect(filter.accept([Self.candidate("192.0.2.1")], mids: Self.mids).count == 1)
    }

    @Test func `a flood is cut at the limit`() {
        var filter = CandidateFilter(allowsLoopback: false)
        let flood = (0..<5_000).map { Self.candidate("10.\($0 >> 8).\($0 & 255).1") }
        #expect(filter.accept(flood, mids: Self.mids).count == CandidateFilter.maximumCount)
        #expect(filter.accept(flood, mids: Self.mids) == [])
        #expect(filter.rejected == 5_000 - CandidateFilter.maximumCount + 5_000)
    }
}
