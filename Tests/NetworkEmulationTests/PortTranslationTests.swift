import Testing

@testable import NetworkEmulation

@Suite(.timeLimit(.minutes(5))) struct PortTranslationTests {
    /// A packet with sound checksums, so that what is rewritten can be checked.
    private func packet(_ isTCP: Bool, isVersion6: Bool = false, from source: UInt16, to destination: UInt16) -> [UInt8]
    {
        let length = isTCP ? 24 : 12
        var head: [UInt8]
        if isVersion6 {
            head = [0x60, 0, 0, 0, 0, UInt8(length), isTCP ? 6 : 17, 64]
            head += [UInt8](repeating: 0xFD, count: 16) + [UInt8](repeating: 0xFE, count: 16)
        } else {
            head = [0x45, 0, 0, UInt8(20 + length), 0, 0, 0, 0, 64, isTCP ? 6 : 17, 0, 0, 10, 89, 0, 1, 10, 89, 0, 2]
        }
        var body = [UInt8](repeating: 0, count: length)
        (body[0], body[1]) = (UInt8(source >> 8), UInt8(truncatingIfNeeded: source))
        (body[2], body[3]) = (UInt8(destination >> 8), UInt8(truncatingIfNeeded: destination))
        if isTCP { body[12] = 0x50 } else { body[5] = UInt8(length) }
        body[length - 1] = 0x77
        let sum = ~Self.sum(head, body, isTCP: isTCP, isVersion6: isVersion6)
        let place = isTCP ? 16 : 6
        (body[place], body[place + 1]) = (UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum))
        return head + body
    }

    /// The sum over pseudo header and body (RFC 9293 §3.1, RFC 8200 §8.1); all ones for a sound packet.
    private static func sum(_ head: [UInt8], _ body: [UInt8], isTCP: Bool, isVersion6: Bool) -> UInt16 {
        let bytes = Array(isVersion6 ? head[8...] : head[12...]) + [0, isTCP ? 6 : 17, 0, UInt8(body.count)] + body
        var total: UInt32 = 0
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            total += UInt32(bytes[place]) << 8 | UInt32(bytes[place + 1])
        }
        while total > 0xFFFF { total = total >> 16 + total & 0xFFFF }
        return UInt16(total)
    }

    @Test(arguments: [true, false], [true, false])
    func `ports are rewritten both ways and checksums fit`(isTCP: Bool, isVersion6: Bool) {
        var router = PortTranslation()
        router.forget()
        let head = isVersion6 ? 40 : 20
        for port in stride(from: UInt16(1), to: 60_000, by: 997) {
            let own = packet(isTCP, isVersion6: isVersion6, from: port, to: 9)
            let seen = router.outward(own)
            #expect(
                Self.sum(Array(seen[..<head]), Array(seen[head...]), isTCP: isTCP, isVersion6: isVersion6) == 0xFFFF)
            let number = UInt16(seen[head]) << 8 | UInt16(seen[head + 1])
            #expect(number != port && router.outward(own) == seen)
            let answer = packet(isTCP, isVersion6: isVersion6, from: 9, to: number)
            #expect(router.inward(answer) == packet(isTCP, isVersion6: isVersion6, from: 9, to: port))
        }
    }

    @Test func `before it forgets it is not there`() {
        var router = PortTranslation()
        let own = packet(false, from: 5_000, to: 9)
        #expect(router.outward(own) == own)
        #expect(router.inward(own) == own)
    }

    @Test func `what comes for a forgotten number is dropped and other kinds pass`() {
        var router = PortTranslation()
        router.forget()
        let seen = router.outward(packet(false, from: 5_000, to: 9))
        let answer = packet(false, from: 9, to: UInt16(seen[20]) << 8 | UInt16(seen[21]))
        #expect(router.inward(answer) != nil)
        #expect(router.inward(packet(true, from: 9, to: UInt16(seen[20]) << 8 | UInt16(seen[21]))) == nil)
        router.forget()
        #expect(router.inward(answer) == nil)
        #expect(router.inward(packet(false, from: 9, to: 5_000)) == nil)
        var ping = packet(false, from: 1, to: 2)
        ping[9] = 1
        #expect(router.inward(ping) == ping && router.outward(ping) == ping)
        for length in 0..<28 { #expect(router.outward(Array(ping.prefix(length))) == Array(ping.prefix(length))) }
    }
}
