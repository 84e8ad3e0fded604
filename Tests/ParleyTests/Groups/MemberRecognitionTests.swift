import Calling
import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Parley

/// How contacts who were introduced by somebody else know each other in a call of several, as values.
@Suite("Contacts recognised in calls of several", .timeLimit(.minutes(1))) struct MemberRecognitionTests {
    private static let call = CallID.random()
    private static let (ben, cleo) = (ContactID(rawValue: "Ben"), ContactID(rawValue: "Cleo"))
    private static let line = Array(repeating: 7 as UInt8, count: 32)
    private static let (benSeed, cleoSeed) = (RecognitionSeed.random(), RecognitionSeed.random())

    private static func number(_ value: Int) -> MemberNumber { MemberNumber(value) ?? .first }

    /// At Ben's, with Cleo among his contacts, or the other way round.
    private static func side(
        _ contact: ContactID, _ secret: SecretBytes = benSeed.secret(with: cleoSeed), call: CallID = call,
        line: [UInt8] = line
    ) -> MemberRecognition {
        MemberRecognition(call, line: line, secrets: [contact: secret])
    }

    @Test func `each of two contacts knows the other by tags, whichever part of the secret is whose`() {
        let ben = Self.side(Self.cleo)
        let cleo = Self.side(Self.ben, Self.cleoSeed.secret(with: Self.benSeed))
        #expect(ben.contact(with: cleo.tags(of: Self.number(3)), of: Self.number(3)) == Self.cleo)
        #expect(cleo.contact(with: ben.tags(of: Self.number(2)), of: Self.number(2)) == Self.ben)
    }

    @Test func `what was said for another member, line or call proves nothing`() {
        let ben = Self.side(Self.cleo)
        let three = Self.number(3)
        let tags = Self.side(Self.ben).tags(of: three)
        #expect(ben.contact(with: tags, of: three) == Self.cleo)
        #expect(ben.contact(with: tags, of: Self.number(4)) == nil)
        // Who sits in between has another line to each of the two.
        let between = Self.side(Self.ben, line: Self.line.reversed() + [1])
        #expect(ben.contact(with: between.tags(of: three), of: three) == nil)
        #expect(ben.contact(with: Self.side(Self.ben, call: .random()).tags(of: three), of: three) == nil)
        // What Ben says himself, said back.
        #expect(ben.contact(with: ben.tags(of: Self.number(2)), of: three) == nil)
    }

    @Test func `who does not know the secret is nobody's contact, whatever they are called`() {
        let ben = Self.side(Self.cleo)
        let mallory = Self.side(Self.ben, RecognitionSeed.random().secret(with: Self.benSeed))
        #expect(ben.contact(with: mallory.tags(of: Self.number(3)), of: Self.number(3)) == nil)
        #expect(ben.contact(with: [], of: Self.number(3)) == nil)
    }

    @Test(arguments: [(0, 32), (1, 32), (32, 32), (33, 64), (256, 256), (300, 256)])
    func `tags don't say how many contacts there are`(contacts: Int, tags: Int) {
        let secrets = Dictionary(
            uniqueKeysWithValues: (0..<contacts).map { (ContactID(rawValue: "\($0)"), SecretBytes.random(64)) })
        let recognition = MemberRecognition(Self.call, line: Self.line, secrets: secrets)
        let said = recognition.tags(of: .first)
        #expect(said.count == tags && Set(said).count == tags)
        #expect(said == said.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) })
    }

    @Test func `of more contacts than there is room for, one who is not told can't be recognised either`() {
        let ids = (0..<300).map { ContactID(rawValue: "\($0)") }
        let secrets = Dictionary(uniqueKeysWithValues: ids.map { ($0, SecretBytes.random(64)) })
        let all = MemberRecognition(Self.call, line: Self.line, secrets: secrets)
        let said = all.tags(of: Self.number(2))
        for id in ids {
            let other = MemberRecognition(Self.call, line: Self.line, secrets: [Self.ben: secrets[id] ?? .random(64)])
            let isTold = other.contact(with: said, of: Self.number(2)) != nil
            let isKnown = all.contact(with: other.tags(of: Self.number(3)), of: Self.number(3)) == id
            #expect(isTold == isKnown)
        }
    }
}
