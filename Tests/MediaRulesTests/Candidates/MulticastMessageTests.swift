import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct LocalNameTests {
    static let uuid = "9b36eaac-bb2e-49bb-bb78-21c41c499900"

    @Test func `a UUID under local is a name that is looked up, in small letters`() {
        #expect(LocalName(parsing: Self.uuid + ".local")?.text == Self.uuid + ".local")
        #expect(LocalName(parsing: Self.uuid.uppercased() + ".LOCAL")?.text == Self.uuid + ".local")
    }

    @Test(arguments: [
        "", "local", ".local", "printer.local", uuid, uuid + ".local.", uuid + ".localx", uuid + ".example",
        "x" + uuid + ".local", uuid.replacing("-", with: "x") + ".local", "g" + uuid.dropFirst() + ".local",
        uuid.dropLast() + "é.local", uuid + "\u{0}local",
    ]) func `no other name is`(text: String) {
        #expect(LocalName(parsing: text) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct MulticastMessageTests {
    private let name = LocalNameTests.uuid + ".local"

    @Test func `a question asks for both kinds of addresses`() throws {
        let bytes = MulticastMessage.question(try #require(LocalName(parsing: name)))
        let label = "24" + Array(LocalNameTests.uuid.utf8).hexadecimal
        #expect(
            bytes.hexadecimal == "000000000002000000000000" + label + "056c6f63616c00" + "00010001" + "c00c001c0001")
    }

    @Test func `addresses of both kinds are read, with and without compression`() throws {
        var bytes = DNSText.header(answers: 2) + DNSText.name(name.uppercased())
        bytes += [0, 1, 0x80, 1, 0, 0, 0, 120, 0, 4, 192, 0, 2, 7]
        bytes += [0xC0, 12, 0, 28, 0x80, 1, 0, 0, 0, 120, 0, 16, 0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [9]
        let message = try MulticastMessage(decoding: bytes)
        #expect(
            message.answers == [
                .init(name: name, address: [192, 0, 2, 7]),
                .init(name: name, address: [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [9]),
            ])
    }

    @Test func `other records are passed over`() throws {
        var bytes = DNSText.header(answers: 3) + DNSText.name("a.local")
        bytes += [0, 16, 0, 1, 0, 0, 0, 1, 0, 2, 1, 65]  // TXT
        bytes += [0xC0, 12, 0, 1, 0, 3, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4]  // another class
        bytes += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 3, 1, 2, 3]  // an address of three bytes
        #expect(try MulticastMessage(decoding: bytes).answers == [])
    }

    private func refusal(_ bytes: [UInt8]) -> MulticastMessage.Refusal? {
        do {
            _ = try MulticastMessage(decoding: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `questions and errors are no answers`() throws {
        #expect(refusal(MulticastMessage.question(try #require(LocalName(parsing: name)))) == .notAnAnswer)
        #expect(refusal([0, 0, 0x84, 3] + [UInt8](repeating: 0, count: 8)) == .notAnAnswer)
    }

    @Test func `a name that leads in a circle or forwards is malformed`() {
        let tail: [UInt8] = [0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4]
        #expect(refusal(DNSText.header(answers: 1) + [0xC0, 12] + tail) == .malformed)
        #expect(refusal(DNSText.header(answers: 1) + [1, 65, 0xC0, 12] + tail) == .malformed)
        #expect(refusal(DNSText.header(answers: 1) + [0xC0, 40] + tail) == .malformed)
        #expect(refusal(DNSText.header(answers: 1) + [0xC0]) == .malformed)
        #expect(refusal(DNSText.header(answers: 1) + [0x40, 65, 0] + tail) == .malformed)
    }

    @Test func `more records than anybody needs are refused unread`() {
        #expect(refusal(DNSText.header(answers: 257)) == .tooMany)
        #expect(refusal([UInt8](repeating: 0, count: 9_001)) == .tooMany)
    }

    @Test func `a message that is cut anywhere is malformed`() {
        let bytes = DNSText.answer(name, [192, 0, 2, 7])
        for count in 0..<bytes.count { #expect(refusal(Array(bytes.prefix(count))) == .malformed) }
    }

    @Test func `random and damaged messages never trap`() {
        var generator = SeededGenerator(seed: 6_762)
        for _ in 0..<20_000 {
            var bytes = DNSText.answer(name, generator.bytes(Bool.random(using: &generator) ? 4 : 16))
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? MulticastMessage(decoding: bytes)
            _ = try? MulticastMessage(
                decoding: [0, 0, 0x84, 0] + generator.bytes(Int.random(in: 0...80, using: &generator)))
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct HiddenCandidatesTests {
    private func candidate(_ address: String, port: Int = 9) -> MediaCandidate {
        CandidateFilterTests.candidate(address, port: port)
    }

    private func uuid(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits + ".local"
    }

    @Test func `candidates with addresses pass, those with names wait for the answer`() throws {
        var hidden = HiddenCandidates()
        let sorted = hidden.sort([candidate("192.0.2.1"), candidate(uuid(1)), candidate("example.org")])
        let name = try #require(LocalName(parsing: uuid(1)))
        #expect(sorted.plain == [candidate("192.0.2.1"), candidate("example.org")])
        #expect(sorted.questions == [name])
        #expect(hidden.answer(name, "10.0.0.7") == [candidate("10.0.0.7")])
    }

    @Test func `a name is asked for once, and only the first answer counts`() throws {
        var hidden = HiddenCandidates()
        let name = try #require(LocalName(parsing: uuid(1)))
        #expect(hidden.sort([candidate(uuid(1)), candidate(uuid(1), port: 10)]).questions == [name])
        #expect(hidden.answer(name, "10.0.0.7").count == 2)
        #expect(hidden.answer(name, "10.0.0.8") == [])
        #expect(hidden.sort([candidate(uuid(1), port: 11)]).plain == [candidate("10.0.0.7", port: 11)])
    }

    @Test func `an answer that nobody asked for is nothing`() throws {
        var hidden = HiddenCandidates()
        #expect(hidden.answer(try #require(LocalName(parsing: uuid(1))), "10.0.0.7") == [])
    }

    @Test func `a flood of names is cut at the limit and left to the filter`() {
        var hidden = HiddenCandidates()
        let sorted = hidden.sort((0..<1_000).map { candidate(uuid($0)) })
        #expect(sorted.questions.count == HiddenCandidates.maximumNames)
        #expect(sorted.plain.count == 1_000 - HiddenCandidates.maximumNames)
        var filter = CandidateFilter(allowsLoopback: true)
        #expect(filter.accept(sorted.plain, mids: CandidateFilterTests.mids) == [])
    }
}
