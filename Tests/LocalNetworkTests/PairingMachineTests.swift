import Cryptography
import TestSupport
import Testing

@testable import LocalNetwork

/// Two people nearby become contacts by comparing a code; whoever sits in between is seen.
@Suite(.timeLimit(.minutes(5))) struct PairingMachineTests {
    /// Both ends, and what they said to their people.
    private struct Pair {
        var anna = PairingMachine(.beginning, name: "Anna")
        var ben = PairingMachine(.asked, name: "Ben")
        var told: [(isAnna: Bool, action: PairingMachine.Action)] = []

        /// Carries actions out until nobody has anything to say any more.
        mutating func run(_ actions: [PairingMachine.Action], byAnna: Bool) {
            for action in actions {
                guard case .send(let bytes) = action else {
                    told.append((byAnna, action))
                    continue
                }
                run(byAnna ? ben.receive(bytes) : anna.receive(bytes), byAnna: !byAnna)
            }
        }

        func told(anna isAnna: Bool) -> [PairingMachine.Action] { told.filter { $0.isAnna == isAnna }.map(\.action) }

        func code(anna isAnna: Bool) -> String? {
            told(anna: isAnna).compactMap { if case .compare(let code, _) = $0 { code } else { nil } }.first
        }
    }

    private func compared() -> Pair {
        var pair = Pair()
        pair.run(pair.anna.begin(), byAnna: true)
        return pair
    }

    @Test func `both see the same code of six digits and the other's name`() throws {
        let pair = compared()
        let code = try #require(pair.code(anna: true))
        #expect(pair.told(anna: true) == [.compare(code: code, name: "Ben")])
        #expect(pair.told(anna: false) == [.compare(code: code, name: "Anna")])
        #expect(code.count == 7 && code.split(separator: " ").allSatisfy { $0.count == 3 && $0.allSatisfy(\.isNumber) })
        #expect(compared().code(anna: true) != code)
    }

    @Test(arguments: [true, false]) func `the link goes over once both have confirmed, whoever does first`(
        annaFirst: Bool
    ) {
        var pair = compared()
        for isAnna in [annaFirst, !annaFirst] {
            #expect(!pair.told.contains { $0.action == .makeLink })
            if isAnna {
                pair.run(pair.anna.confirm(), byAnna: true)
            } else {
                pair.run(pair.ben.confirm(), byAnna: false)
            }
        }
        #expect(pair.told(anna: true).last == .makeLink)
        pair.run(pair.anna.give(link: "simplex:/invitation#x"), byAnna: true)
        #expect(pair.told(anna: false).last == .open(link: "simplex:/invitation#x"))
        pair.run(pair.ben.opened(), byAnna: false)
        #expect(pair.told(anna: true).last == .finish && pair.told(anna: false).last == .finish)
        #expect(pair.anna.isOver && pair.ben.isOver)
    }

    @Test func `who does not confirm gets no link and gives none`() {
        var pair = compared()
        pair.run(pair.anna.confirm(), byAnna: true)
        #expect(pair.anna.give(link: "x") == [] && pair.ben.opened() == [])
        pair.run(pair.ben.refuse(), byAnna: false)
        #expect(pair.told(anna: true).last == .fail(.refusedThere))
        #expect(pair.told(anna: false).last == .fail(.refusedHere))
        #expect(pair.anna.confirm() == [] && pair.ben.confirm() == [])
    }

    @Test func `what two meetings sealed can't be read by a third, and nothing of the link is in clear`() {
        var pair = compared()
        pair.run(pair.anna.confirm(), byAnna: true)
        pair.run(pair.ben.confirm(), byAnna: false)
        let link = "simplex:/invitation#secret-part"
        guard case .send(let bytes)? = pair.anna.give(link: link).first else {
            Issue.record("no message")
            return
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
        var other = compared()
        other.run(other.anna.confirm(), byAnna: true)
        other.run(other.ben.confirm(), byAnna: false)
        #expect(other.ben.receive(bytes).contains(.fail(.malformed)))
    }

    /// Somebody in between, who agrees on a key with each of them.
    private func between() throws -> (anna: String, ben: String) {
        var anna = PairingMachine(.beginning, name: "Anna")
        var ben = PairingMachine(.asked, name: "Ben")
        var toAnna = PairingMachine(.asked, name: "Ben")
        var toBen = PairingMachine(.beginning, name: "Anna")
        func sent(_ actions: [PairingMachine.Action]) throws -> [UInt8] {
            try #require(actions.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }.first)
        }
        func code(_ actions: [PairingMachine.Action]) throws -> String {
            try #require(actions.compactMap { if case .compare(let code, _) = $0 { code } else { nil } }.first)
        }
        let answered = anna.receive(try sent(toAnna.receive(try sent(anna.begin()))))
        _ = toAnna.receive(try sent(answered))
        let answer = try sent(ben.receive(try sent(toBen.begin())))
        return (try code(answered), try code(ben.receive(try sent(toBen.receive(answer)))))
    }

    @Test func `somebody in between makes the codes differ`() throws {
        var equal = 0
        for _ in 0..<200 {
            let codes = try between()
            if codes.anna == codes.ben { equal += 1 }
        }
        #expect(equal <= 1)
    }

    @Test func `who tells another key than was promised is found out, so that no key can be searched for`() throws {
        var ben = PairingMachine(.asked, name: "Ben")
        let promised = X25519.PrivateKey().publicKey.rawRepresentation
        let hash = Digest.sha256(Array("Parley nearby commitment 1".utf8) + promised)
        _ = ben.receive(PairingMessage.hello(commitment: hash, name: "Anna").encoded())
        // By now the key of the asked one is known, and codes could be tried.
        let other = X25519.PrivateKey().publicKey.rawRepresentation
        #expect(ben.receive(PairingMessage.reveal(key: other).encoded()).last == .fail(.commitmentBroken))
        #expect(ben.isOver)
    }

    @Test func `a key that gives no secret is refused at both ends`() {
        let zero = [UInt8](repeating: 0, count: 32)
        var anna = PairingMachine(.beginning, name: "Anna")
        _ = anna.begin()
        #expect(anna.receive(PairingMessage.answer(key: zero, name: "Ben").encoded()).last == .fail(.malformed))
        var ben = PairingMachine(.asked, name: "Ben")
        let hash = Digest.sha256(Array("Parley nearby commitment 1".utf8) + zero)
        _ = ben.receive(PairingMessage.hello(commitment: hash, name: "Anna").encoded())
        #expect(ben.receive(PairingMessage.reveal(key: zero).encoded()).last == .fail(.malformed))
    }

    @Test func `a name that was changed on the way changes the code`() throws {
        var anna = PairingMachine(.beginning, name: "Anna")
        var ben = PairingMachine(.asked, name: "Ben")
        guard case .send(let hello)? = anna.begin().first,
            case .hello(let commitment, _)? = PairingMessage(decoding: hello),
            case .send(let answer)? = ben.receive(
                PairingMessage.hello(commitment: commitment, name: "Mallory").encoded()
            ).first
        else {
            Issue.record("no message")
            return
        }
        let seen = anna.receive(answer)
        guard case .send(let reveal)? = seen.first, case .compare(let here, _)? = seen.last,
            case .compare(let there, "Mallory")? = ben.receive(reveal).last
        else {
            Issue.record("no code")
            return
        }
        #expect(here != there)
    }

    @Test func `messages are what they were, and anything else is none`() {
        let key = [UInt8](repeating: 9, count: 32)
        for message: PairingMessage in [
            .hello(commitment: key, name: "Zoë"), .answer(key: key, name: "B"), .reveal(key: key), .sealed([1, 2]),
            .refusal,
        ] {
            #expect(PairingMessage(decoding: message.encoded()) == message)
        }
        let none: [[UInt8]] = [[], [0], [6], [1, 2] + key + [65], [2] + key, [3], [3] + key + [1], [2] + key + [0xFF]]
        for bytes in none { #expect(PairingMessage(decoding: bytes) == nil, "\(bytes)") }
        #expect(PairingMessage(decoding: [4] + [UInt8](repeating: 0, count: 5_000)) == nil)
    }

    @Test func `20,000 steps of nonsense end a meeting and nothing else`() throws {
        var generator = SeededGenerator(seed: 7)
        var links = 0
        for _ in 0..<2_000 {
            var pair = Int.random(in: 0...1, using: &generator) == 0 ? Pair() : compared()
            for _ in 0..<10 {
                let kind = UInt8.random(in: 0...6, using: &generator)
                let bytes = [kind] + generator.bytes(Int.random(in: 0...66, using: &generator))
                let actions =
                    Int.random(in: 0...1, using: &generator) == 0 ? pair.anna.receive(bytes) : pair.ben.receive(bytes)
                links += actions.filter { if case .open = $0 { true } else { $0 == .makeLink } }.count
                if Int.random(in: 0...3, using: &generator) == 0 { _ = pair.anna.confirm() + pair.ben.confirm() }
            }
        }
        #expect(links == 0)
    }
}
