import TestSupport
import Testing

@testable import PortMapping

/// What goes over the wire, by the figures of RFC 6887 and RFC 6886.
@Suite(.timeLimit(.minutes(5))) struct MessageTests {
    private func bytes(_ text: String) throws -> [UInt8] {
        try #require([UInt8](hexadecimal: String(text.filter { !$0.isWhitespace })))
    }

    private func mapping() throws -> PCPMapping {
        PCPMapping(
            nonce: [UInt8](1...12), internalPort: 5_223, externalPort: 443,
            externalAddress: try #require(IPv4Address(parsing: "203.0.113.9")))
    }

    @Test func `a request of PCP is written as RFC 6887 shows it`() throws {
        let request = PCPRequest.map(
            try mapping(), client: try #require(IPv4Address(parsing: "192.168.1.20")), lifetime: 7_200)
        let wire = try bytes(
            """
            02010000 00001c20 00000000 00000000 0000ffff c0a80114
            01020304 05060708 090a0b0c 06000000 146701bb 00000000 00000000 0000ffff cb007109
            """)
        #expect(request.encoded() == wire)
        #expect(PCPRequest(decoding: wire) == request)
    }

    @Test func `an answer of PCP is read`() throws {
        let wire = try bytes(
            """
            02810000 00000e10 000003e8 00000000 00000000 00000000
            01020304 05060708 090a0b0c 06000000 146701bb 00000000 00000000 0000ffff cb007109
            """)
        let answer = try #require(PCPResponse(decoding: wire))
        #expect(answer == PCPResponse(.map, result: 0, lifetime: 3_600, epoch: 1_000, mapping: try mapping()))
        #expect(answer.encoded() == wire)
    }

    @Test func `an answer of PCP that is too short, too long or odd is none`() throws {
        let whole = PCPResponse(.map, result: 0, lifetime: 60, epoch: 1, mapping: try mapping()).encoded()
        for count in 0..<whole.count { #expect(PCPResponse(decoding: Array(whole[..<count])) == nil) }
        #expect(PCPResponse(decoding: whole + [0]) == nil)
        #expect(PCPResponse(decoding: whole + [UInt8](repeating: 0, count: 1_044)) == nil)
        // Options behind it do no harm.
        #expect(PCPResponse(decoding: whole + [UInt8](repeating: 0, count: 8)) != nil)
    }

    @Test func `a request is no answer, and an answer no request`() throws {
        let request = PCPRequest.map(try mapping(), client: .unspecified, lifetime: 1).encoded()
        #expect(PCPResponse(decoding: request) == nil)
        let answer = PCPResponse(.map, result: 0, lifetime: 60, epoch: 1, mapping: try mapping()).encoded()
        #expect(PCPRequest(decoding: answer) == nil)
        #expect(
            NATPMPResponse(decoding: NATPMPRequest.map(internalPort: 1, externalPort: 2, lifetime: 3).encoded()) == nil)
    }

    @Test func `a mapping of UDP or of IPv6 is none`() throws {
        var wire = PCPResponse(.map, result: 0, lifetime: 60, epoch: 1, mapping: try mapping()).encoded()
        wire[36] = 17
        #expect(PCPResponse(decoding: wire) == nil)
        wire[36] = 6
        wire[44] = 0x20
        #expect(PCPResponse(decoding: wire) == nil)
    }

    @Test func `messages of NAT-PMP are written and read as RFC 6886 shows them`() throws {
        #expect(NATPMPRequest.address.encoded() == [0, 0])
        let request = NATPMPRequest.map(internalPort: 5_223, externalPort: 443, lifetime: 7_200)
        #expect(request.encoded() == (try bytes("00020000 146701bb 00001c20")))
        #expect(
            NATPMPResponse(decoding: try bytes("00800000 000003e8 cb007109"))?.content
                == .address(try #require(IPv4Address(parsing: "203.0.113.9"))))
        let answer = try #require(NATPMPResponse(decoding: try bytes("00820000 000003e8 146701bb 00000e10")))
        #expect(answer.content == .mapping(internalPort: 5_223, externalPort: 443, lifetime: 3_600))
        #expect(answer.epoch == 1_000)
        let refusal = try #require(NATPMPResponse(decoding: try bytes("00820002 000003e8")))
        #expect(refusal.result == NATPMPResult.notAuthorized.rawValue && refusal.content == nil)
    }

    @Test func `an answer of NAT-PMP of a wrong length is none`() throws {
        let wire = NATPMPResponse(
            result: 0, operation: 2, epoch: 1, content: .mapping(internalPort: 1, externalPort: 2, lifetime: 3)
        ).encoded()
        for count in 0..<wire.count { #expect(NATPMPResponse(decoding: Array(wire[..<count])) == nil) }
        #expect(NATPMPResponse(decoding: wire + [0]) == nil)
    }

    @Test func `20,000 random mappings come back as they were`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let mapping = PCPMapping(
                nonce: generator.bytes(12), internalPort: .random(in: 0...(.max), using: &generator),
                externalPort: .random(in: 0...(.max), using: &generator),
                externalAddress: try #require(IPv4Address(generator.bytes(4))))
            let answer = PCPResponse(
                .map, result: generator.bytes(1)[0], lifetime: .random(in: 0...(.max), using: &generator),
                epoch: .random(in: 0...(.max), using: &generator), mapping: mapping)
            #expect(PCPResponse(decoding: answer.encoded()) == answer)
            let request = NATPMPRequest.map(
                internalPort: mapping.internalPort, externalPort: mapping.externalPort, lifetime: answer.lifetime)
            #expect(NATPMPRequest(decoding: request.encoded()) == request)
        }
    }

    @Test func `40,000 damaged or random datagrams are read or refused`() throws {
        var generator = SeededGenerator(seed: 8)
        let originals = [
            PCPResponse(.map, result: 0, lifetime: 60, epoch: 1, mapping: try mapping()).encoded(),
            PCPResponse(.announce, result: 0, lifetime: 0, epoch: 1).encoded(),
            NATPMPResponse(result: 0, operation: 0, epoch: 1, content: .address(.unspecified)).encoded(),
            try bytes("00820000 000003e8 146701bb 00000e10"),
        ]
        for round in 0..<40_000 {
            var wire = originals[round % 4]
            if round % 5 == 0 { wire = generator.bytes(.random(in: 0...1_200, using: &generator)) }
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !wire.isEmpty {
                wire[.random(in: 0..<wire.count, using: &generator)] = generator.bytes(1)[0]
            }
            _ = (PCPResponse(decoding: wire), PCPRequest(decoding: wire))
            _ = (NATPMPResponse(decoding: wire), NATPMPRequest(decoding: wire))
        }
    }

    @Test(
        arguments: [
            ("10.0.0.1", false), ("172.16.0.1", false), ("172.31.255.255", false), ("172.32.0.1", true),
            ("192.168.1.1", false), ("100.64.0.1", false), ("100.127.255.255", false), ("100.128.0.1", true),
            ("100.63.255.255", true), ("169.254.1.1", false), ("127.0.0.1", false), ("0.0.0.0", false),
            ("192.0.0.8", false), ("198.18.0.1", false), ("224.0.0.1", false), ("255.255.255.255", false),
            ("8.8.8.8", true), ("198.51.100.7", true),
        ])
    func `addresses of private and providers' networks are not public`(text: String, isPublic: Bool) throws {
        let address = try #require(IPv4Address(parsing: text))
        #expect(address.isPublic == isPublic && address.description == text)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::1", "1.2.3.4 ", "0x7f.1", String(repeating: "1", count: 99),
    ])
    func `what is no address of IPv4 is none`(text: String) { #expect(IPv4Address(parsing: text) == nil) }
}
