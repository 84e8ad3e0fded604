import Testing

@testable import MediaRules
@testable import STUN

@Suite(.timeLimit(.minutes(5))) struct ServerExchangeTests {
    private let transaction = [UInt8](repeating: 7, count: 12)
    private let realm = Array("example.org".utf8)

    private func exchange(login: Bool) -> ServerExchange {
        let transaction = transaction
        return ServerExchange(login: login ? ("ada", "secret") : nil) { transaction }
    }

    private var key: [UInt8]? { STUNMessage.longTermKey(username: "ada", realm: realm, password: "secret") }

    private func answer(
        _ method: STUNMessage.Method, _ kind: STUNMessage.Kind = .success, key: [UInt8]? = nil,
        transaction: [UInt8]? = nil, with attributes: [(STUNMessage.Attribute, [UInt8])]
    ) -> [UInt8] {
        var message = STUNMessage(method, kind, transaction: transaction ?? self.transaction)
        for (type, value) in attributes { message.add(type, value) }
        return message.encoded(key: key)
    }

    private func challenge(_ code: UInt8 = 1) -> [UInt8] {
        answer(.allocate, .error, with: [(.errorCode, [0, 0, 4, code]), (.realm, realm), (.nonce, [1, 2])])
    }

    @Test func `a STUN server is asked once and tells the address it sees`() throws {
        var exchange = exchange(login: false)
        let question = try #require(STUNMessage(decoding: exchange.begin()))
        #expect(question.method == .binding && question.kind == .request)
        let step = exchange.receive(answer(.binding, with: [(.mappedAddress, [0, 1, 0, 80, 192, 0, 2, 1])]))
        #expect(step == .done(.answered(seen: "192.0.2.1:80", relayed: nil), farewell: nil))
        #expect(exchange.receive(answer(.binding, with: [])) == nil)
    }

    @Test func `a TURN server is asked, given the login, and given its address back`() throws {
        var exchange = exchange(login: true)
        let first = try #require(STUNMessage(decoding: exchange.begin()))
        #expect(first.method == .allocate && first[.username] == nil)
        #expect(first[.requestedTransport] == [17, 0, 0, 0])
        guard case .ask(let second) = exchange.receive(challenge()) else {
            Issue.record("it is not asked again")
            return
        }
        let question = try #require(STUNMessage(decoding: second))
        #expect(question[.username] == Array("ada".utf8) && question[.realm] == realm && question[.nonce] == [1, 2])
        #expect(question.isSigned(with: try #require(key)))
        // 198.51.100.7:49152, mixed with the cookie (RFC 8489 §14.2).
        let relayed: [UInt8] = [0, 1, 0xC0 ^ 0x21, 0x12, 198 ^ 0x21, 51 ^ 0x12, 100 ^ 0xA4, 7 ^ 0x42]
        let granted = answer(.allocate, key: key, with: [(.relayedAddress, relayed)])
        guard case .done(let outcome, let farewell) = exchange.receive(granted) else {
            Issue.record("it is not over")
            return
        }
        #expect(outcome == .answered(seen: nil, relayed: "198.51.100.7:49152"))
        let last = try #require(farewell.flatMap { STUNMessage(decoding: $0) })
        #expect(last.method == .refresh && last[.lifetime] == [0, 0, 0, 0])
        #expect(last.isSigned(with: try #require(key)))
    }

    @Test func `a login that is asked for again was refused`() {
        var exchange = exchange(login: true)
        _ = exchange.begin()
        _ = exchange.receive(challenge())
        #expect(exchange.receive(challenge()) == .done(.loginRefused(401), farewell: nil))
    }

    @Test func `a nonce that is too old is exchanged, but not for ever`() {
        var exchange = exchange(login: true)
        _ = exchange.begin()
        _ = exchange.receive(challenge())
        for _ in 0..<2 {
            guard case .ask = exchange.receive(challenge(38)) else {
                Issue.record("it is not asked again")
                return
            }
        }
        #expect(exchange.receive(challenge(38)) == .done(.refused(438, ""), farewell: nil))
    }

    @Test func `another refusal is told with the server's reason`() {
        var exchange = exchange(login: true)
        _ = exchange.begin()
        let refusal = answer(.allocate, .error, with: [(.errorCode, [0, 0, 4, 86] + Array("Quota".utf8))])
        #expect(exchange.receive(refusal) == .done(.refused(486, "Quota"), farewell: nil))
    }

    @Test func `nothing counts that is no answer to the question`() {
        var exchange = exchange(login: true)
        _ = exchange.begin()
        let other = [UInt8](repeating: 8, count: 12)
        #expect(exchange.receive([1, 2, 3]) == nil)
        #expect(
            exchange.receive(answer(.allocate, .error, transaction: other, with: [(.errorCode, [0, 0, 4, 1])])) == nil)
        _ = exchange.receive(challenge())
        // A success that the server has not signed.
        #expect(exchange.receive(answer(.allocate, with: [])) == nil)
        #expect(exchange.receive(answer(.allocate, key: [9], with: [])) == nil)
    }

    @Test func `an answer without what it is for is malformed`() {
        var first = exchange(login: true)
        _ = first.begin()
        #expect(first.receive(answer(.allocate, with: [])) == .done(.malformed, farewell: nil))
        var second = exchange(login: true)
        _ = second.begin()
        #expect(second.receive(answer(.allocate, .error, with: [])) == .done(.malformed, farewell: nil))
        var third = exchange(login: false)
        _ = third.begin()
        #expect(third.receive(answer(.binding, with: [])) == .done(.malformed, farewell: nil))
    }
}
