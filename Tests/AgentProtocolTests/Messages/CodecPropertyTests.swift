import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// Random values of every codec come back from their bytes.
@Suite(.timeLimit(.minutes(5))) struct CodecPropertyTests {
    @Test(arguments: 0..<60 as Range<UInt64>) func `messages come back`(seed: UInt64) throws {
        var make = ValueGenerator(seed: seed)
        for _ in 0..<5 {
            let message = try make.agentMessage()
            #expect(try AgentMessage(decoding: message.encoded()) == message)
            let envelope = try make.agentEnvelope()
            #expect(try AgentEnvelope(decoding: envelope.encoded()) == envelope)
            let client = ClientMessage(
                authenticationKey: make.coin() ? make.authenticationKey() : nil, body: make.random.bytes(20))
            #expect(try ClientMessage(decoding: client.encoded()) == client)
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func `links come back in both forms`(seed: UInt64) throws {
        var make = ValueGenerator(seed: seed)
        let link = try make.connectionLink()
        #expect(try ConnectionLink(decoding: link.encoded()) == link)
        #expect(try ConnectionLink(parsing: link.text()) == link)
        #expect(try ConnectionLink(parsing: link.text(.defaultWeb)) == link)
        let info = try make.queueInfo()
        #expect(try QueueInfo(decoding: info.encoded()) == info)
        let short = try make.shortLink()
        #expect(try ShortLink(parsing: short.text()) == short)
        #expect(try ShortLink(parsing: short.text(web: true)) == short)
    }

    @Test func `percent encoding comes back`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let text = String((0..<20).map { _ in "aZ09-._~ +%&=#/?;é😀".randomElement(using: &random) ?? "x" })
            #expect(try PercentEncoding.decode(PercentEncoding.encode(text)) == text)
        }
        for text in ["%", "%4", "%zz", "%FF", "a%C3"] {
            #expect(throws: AgentDecodingError.malformed) { try PercentEncoding.decode(text) }
        }
        #expect(try PercentEncoding.decode("a+b%20c") == "a b c")
    }
}

/// Random values; queues are of version 4, whose binary form carries every mode.
struct ValueGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func coin() -> Bool { Bool.random(using: &random) }

    mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func several<Value>(_ make: (inout ValueGenerator) throws -> Value) rethrows -> [Value] {
        var values: [Value] = []
        for _ in 0..<count(1...3) { values.append(try make(&self)) }
        return values
    }

    mutating func relay() throws -> RelayAddress {
        let hosts = ["relay.example", "192.0.2.7", "2001:db8::7", "another.example"].shuffled(using: &random)
        return try RelayAddress(
            hosts: Array(hosts.prefix(count(1...3))), port: coin() ? UInt16(count(1...65535)) : nil,
            keyHash: random.bytes(32))
    }

    mutating func address() throws -> QueueAddress {
        QueueAddress(relay: try relay(), senderID: EntityID(random.bytes(24)))
    }

    mutating func agreementKey() throws -> X25519.PublicKey {
        try X25519.PublicKey(rawRepresentation: random.bytes(32))
    }

    mutating func authenticationKey() -> AuthenticationPublicKey {
        coin() ? .ed25519(Ed25519.PrivateKey().publicKey) : .x25519(X25519.PrivateKey().publicKey)
    }

    mutating func mode() -> QueueMode? { [nil, .messaging, .contact][count(0...2)] }

    mutating func queueURI() throws -> QueueURI {
        QueueURI(
            versions: VersionRange(minimum: 4, maximum: UInt16(count(4...6))), address: try address(),
            key: try agreementKey(), mode: mode())
    }

    mutating func queueInfo() throws -> QueueInfo {
        QueueInfo(version: 4, address: try address(), key: try agreementKey(), mode: mode())
    }

    mutating func kem() -> KEMParameters? {
        let key = random.bytes(KEMParameters.keyCount)
        return switch count(0...2) {
        case 0: nil
        case 1: .proposed(key: key)
        default: .accepted(ciphertext: random.bytes(KEMParameters.ciphertextCount), key: key)
        }
    }

    mutating func parameters() throws -> RatchetParameters {
        let version = UInt16(count(2...3))
        return RatchetParameters(
            version: version, firstKey: try X448.PublicKey(rawRepresentation: random.bytes(56)),
            secondKey: try X448.PublicKey(rawRepresentation: random.bytes(56)), kem: version == 3 ? kem() : nil)
    }

    mutating func connectionLink() throws -> ConnectionLink {
        let offer = try parameters()
        let queues = try several { try $0.queueURI() }
        return ConnectionLink(
            kind: coin()
                ? .contact
                : .invitation(
                    RatchetOffer(
                        versions: VersionRange(minimum: 2, maximum: 3), firstKey: offer.firstKey,
                        secondKey: offer.secondKey, kem: kem())),
            agentVersions: VersionRange(minimum: UInt16(count(2...4)), maximum: 7), queue: queues[0],
            furtherQueues: Array(queues.dropFirst()), applicationData: coin() ? "{\"type\":\"é+%&;\"}" : nil)
    }

    mutating func shortLink() throws -> ShortLink {
        let kinds: [ShortLink.Kind] = [
            .invitation(linkID: random.bytes(24)), .contact, .channel, .group, .relay,
        ]
        let relay = try RelayAddress(
            hosts: Array(["a.example", "b.example", "c.example"].prefix(count(1...3))),
            port: coin() ? UInt16(count(1...65535)) : nil, keyHash: random.bytes(32))
        return ShortLink(
            kind: kinds[count(0...4)], relay: relay, linkKey: random.bytes(32), isPreset: coin())
    }

    mutating func agentEnvelope() throws -> AgentEnvelope {
        let bytes = random.bytes(count(0...60))
        let content: AgentEnvelope.Content =
            switch count(0...3) {
            case 0: .confirmation(parameters: coin() ? try parameters() : nil, encrypted: bytes)
            case 1: .message(encrypted: bytes)
            case 2: .invitation(link: try connectionLink(), information: bytes)
            default: .ratchetKey(parameters: try parameters(), information: bytes)
            }
        return AgentEnvelope(agentVersion: UInt16(count(2...7)), content: content)
    }

    mutating func agentMessage() throws -> AgentMessage {
        let bytes = random.bytes(count(0...60))
        switch count(0...4) {
        case 0: return .connectionInformation(bytes)
        // Information starts with `{` or `X`, so that it cannot be taken for a queue mode (Agent fact sheet §2.2).
        case 1:
            return .connectionInformationReply(queues: try several { try $0.queueInfo() }, information: [0x7B] + bytes)
        case 2: return .ratchetInformation(bytes)
        default:
            return .message(
                id: Int64.random(in: .min ... .max, using: &random),
                previousHash: coin() ? [] : random.bytes(32), try content())
        }
    }

    mutating func content() throws -> AMessage {
        switch count(0...8) {
        case 0: .hello
        case 1: .message(random.bytes(count(0...200)))
        case 2:
            .receipts(
                several { make in
                    .init(
                        id: Int64(make.count(0...1000)), hash: make.random.bytes(32),
                        information: make.random.bytes(make.count(0...9)))
                })
        case 3: .continueSending(try address())
        case 4:
            .addQueues(
                try several { make in
                    .init(queue: try make.queueURI(), replaced: make.coin() ? try make.address() : nil)
                })
        case 5:
            .queueKeys(
                try several { make in
                    .init(queue: try make.queueInfo(), authenticationKey: make.authenticationKey())
                })
        case 6: .useQueues(try several { make in .init(address: try make.address(), isPrimary: make.coin()) })
        case 7: .testQueues(try several { try $0.address() })
        default: .ratchetReady(lastReceivedID: Int64(count(0...1000)))
        }
    }
}
