import BaseKit
import STUN
import TestSupport
import Testing

@testable import RelayRules

/// Who is told by STUN which address they have.
@Suite(.timeLimit(.minutes(5))) struct AddressResponderTests {
    private let start = Instant(sinceStart: .seconds(1_000))
    private let home: [UInt8] = [192, 0, 2, 1]
    private let transaction = [UInt8](1...12)

    private func request(_ method: STUNMessage.Method = .binding, _ kind: STUNMessage.Kind = .request) -> [UInt8] {
        STUNMessage(method, kind, transaction: transaction).encoded()
    }

    /// Addresses of IPv4, each another one.
    private func address(_ number: Int) -> [UInt8] {
        [11] + [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    @Test func `the answer names address and port, and has the transaction and a fingerprint`() throws {
        var responder = AddressResponder(time: start)
        let sent = responder.receive(request(), from: home, port: 32_853, at: start)
        let wire = try #require(sent)
        let answer = try #require(STUNMessage(decoding: wire))
        #expect(answer.kind == .success && answer.method == .binding && answer.transaction == transaction)
        #expect(answer.seenAddress == "192.0.2.1:32853" && !answer.isDamaged)
        #expect(wire == STUNMessage.rewritten(answer))
        #expect(wire.suffix(8).starts(with: [0x80, 0x28, 0, 4]))
        #expect(responder.counts.answered == 1)
        let v6 = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9]
        let another = responder.receive(request(), from: v6, port: 1, at: start)
        let other = try #require(another)
        #expect(STUNMessage(decoding: other)?.seenAddress == "[2001:db8::9]:1")
        #expect(other.count == AddressResponder.maximumAnswer)
    }

    @Test func `the request of the vectors is answered, credentials or not`() throws {
        // RFC 5769 §2.1 without PRIORITY and ICE-CONTROLLED, which only peers understand; and as it is.
        let whole = try #require(
            [UInt8](
                hexadecimal: """
                    000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff80290008932f\
                    f9b151263b36000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf
                    """))
        var responder = AddressResponder(time: start)
        let sent = responder.receive(whole, from: home, port: 1, at: start)
        let answer = try #require(sent)
        let refusal = try #require(STUNMessage(decoding: answer))
        #expect(refusal.kind == .error && refusal.refusal?.code == 420)
        #expect(refusal[.unknownAttributes] == [0x00, 0x24])
        #expect(answer.count <= whole.count)
        var plain = STUNMessage(.binding, transaction: transaction)
        plain.add(.username, [1, 2, 3])
        #expect(responder.receive(plain.encoded(key: [1]), from: home, port: 1, at: start) != nil)
        #expect(responder.counts.answered == 1 && responder.counts.refused == 1)
    }

    @Test func `what is no request for an address has no answer`() {
        var responder = AddressResponder(time: start)
        var wrong = STUNMessage(.binding, transaction: transaction).encodedWithFingerprint()
        wrong[wrong.count - 1] ^= 1
        for bytes in [[], [0], Array(request().dropLast()), request() + [0], wrong] {
            #expect(responder.receive(bytes, from: home, port: 1, at: start) == nil)
        }
        #expect(responder.counts.dropped == [.malformed: 5])
        for bytes in [
            request(.allocate), request(.binding, .indication), request(.binding, .success), request(.refresh),
        ] {
            #expect(responder.receive(bytes, from: home, port: 1, at: start) == nil)
        }
        #expect(responder.counts.dropped == [.malformed: 5, .other: 4])
        #expect(responder.counts.answered == 0)
    }

    @Test func `no answer is long, whatever asks for it`() throws {
        var generator = SeededGenerator(seed: 11)
        var responder = AddressResponder(time: start)
        var answers = 0
        for number in 0..<20_000 {
            var message = STUNMessage(.binding, transaction: generator.bytes(12))
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                message.add(
                    [.username, .realm, .nonce, .lifetime].randomElement(using: &generator) ?? .nonce,
                    generator.bytes(Int.random(in: 0...40, using: &generator)))
            }
            var wire = generator.bytes(1)[0] & 1 == 0 ? message.encoded() : message.encodedWithFingerprint()
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                wire[Int.random(in: 0..<wire.count, using: &generator)] = generator.bytes(1)[0]
            }
            let now = start + .milliseconds(number)
            guard let answer = responder.receive(wire, from: address(number), port: 9, at: now) else { continue }
            answers += 1
            #expect(answer.count <= AddressResponder.maximumAnswer)
            #expect(Double(answer.count + 28) < 1.5 * Double(wire.count + 28))
            #expect(try #require(STUNMessage(decoding: answer)).transaction == Array(wire[8..<20]))
        }
        #expect(answers > 5_000)
    }

    @Test func `an address that asks too often is left without an answer until time has passed`() {
        var responder = AddressResponder(time: start)
        for _ in 0..<100 { #expect(responder.receive(request(), from: home, port: 1, at: start) != nil) }
        #expect(responder.receive(request(), from: home, port: 2, at: start) == nil)
        #expect(responder.counts.dropped == [.limited: 1])
        #expect(responder.receive(request(), from: [192, 0, 2, 2], port: 1, at: start) != nil)
        let later = start + .milliseconds(60)
        #expect(responder.receive(request(), from: home, port: 1, at: later) != nil)
        #expect(responder.receive(request(), from: home, port: 1, at: later) == nil)
        // A clock that goes back gives nothing.
        #expect(responder.receive(request(), from: home, port: 1, at: start) == nil)
    }

    @Test func `a network of IPv6 is one address, and this machine has no limit`() {
        var responder = AddressResponder(time: start)
        func place(_ last: UInt8) -> [UInt8] { [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [last] }
        for number in 0..<100 { _ = responder.receive(request(), from: place(UInt8(number)), port: 1, at: start) }
        #expect(responder.receive(request(), from: place(200), port: 1, at: start) == nil)
        for _ in 0..<1_000 { #expect(responder.receive(request(), from: [127, 0, 0, 1], port: 1, at: start) != nil) }
    }

    @Test func `all together have a limit, and what is remembered has one`() {
        var responder = AddressResponder(time: start)
        var answered = 0
        for number in 0..<20_000 where responder.receive(request(), from: address(number), port: 1, at: start) != nil {
            answered += 1
        }
        #expect(answered == 10_000)
        // Once the first ones are idle, they make room.
        let later = start + .seconds(10)
        #expect(responder.receive(request(), from: address(30_000), port: 1, at: later) != nil)
    }
}

extension STUNMessage {
    /// What was read, written again.
    fileprivate static func rewritten(_ message: STUNMessage) -> [UInt8] { message.encodedWithFingerprint() }
}
