import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// The recorded conversations without post-quantum keys: every step of both sides, encryption included.
@Suite(.timeLimit(.minutes(5))) struct RatchetVectorTests {
    static let scenarios: [VectorValue] = {
        let all = (try? Vectors.group("double_ratchet").items) ?? []
        return all.filter { $0["kem"].bool == false }
    }()

    @Test func `three scenarios have no post quantum keys`() {
        #expect(
            Self.scenarios.compactMap { $0["scenario"].string } == [
                "v2, no PQ", "v2 agreed, both sides support v3, no PQ", "v3, no PQ",
            ])
    }

    @Test(arguments: 0..<3) func `both sides agree on the secrets`(index: Int) throws {
        let scenario = try #require(Self.scenarios.indices.contains(index) ? Self.scenarios[index] : nil)
        let conversation = try RecordedConversation(scenario)
        let expected = scenario["x3dh_result_joiner"]
        for secrets in [conversation.joinerSecrets, conversation.initiatorSecrets] {
            #expect(secrets.associatedData == expected["associated_data"].bytes)
            #expect(secrets.headerKey.bytes == expected["joiner_send_header_key"].bytes)
            #expect(secrets.nextHeaderKey.bytes == expected["joiner_receive_next_header_key"].bytes)
            #expect(secrets.rootKey.bytes == expected["root_key"].bytes)
        }
        try conversation.expectState(of: "alice", scenario["alice_initial_state"])
        try conversation.expectState(of: "bob", scenario["bob_initial_state"])
    }

    @Test(arguments: 0..<3) func `every step of the conversation is reproduced`(index: Int) throws {
        let scenario = try #require(Self.scenarios.indices.contains(index) ? Self.scenarios[index] : nil)
        var conversation = try RecordedConversation(scenario)
        for step in scenario["steps"].items { try conversation.perform(step) }
        #expect(scenario["steps"].items.count == 25)
    }

    @Test(arguments: 0..<3) func `every step survives the store`(index: Int) throws {
        let scenario = try #require(Self.scenarios.indices.contains(index) ? Self.scenarios[index] : nil)
        var conversation = try RecordedConversation(scenario)
        for step in scenario["steps"].items {
            try conversation.perform(step)
            for (name, ratchet) in conversation.ratchets {
                let restored = try Ratchet(decoding: ratchet.encoded)
                #expect(restored == ratchet)
                conversation.ratchets[name] = restored
            }
        }
    }
}

/// Both ratchets of a recorded scenario, and the messages on their way.
struct RecordedConversation {
    let joinerSecrets: X3DH.Secrets
    let initiatorSecrets: X3DH.Secrets
    var ratchets: [String: Ratchet]
    private var messages: [String: [UInt8]] = [:]

    init(_ scenario: VectorValue) throws {
        let alice = try Self.pairs(scenario, "alice")
        let bob = try Self.pairs(scenario, "bob")
        let version = UInt16(try #require(scenario["version"].integer))
        let maximum = UInt16(try #require(scenario["max_supported_version"].integer))
        let fresh = try Self.key(scenario["bob_initial_ratchet_dh"]["private"])
        let aliceParameters = try Self.parameters(scenario["alice_params"], alice, version)
        let bobParameters = try Self.parameters(scenario["bob_params"], bob, version)
        joinerSecrets = try X3DH.joiner(keys: bob, initiator: aliceParameters)
        initiatorSecrets = try X3DH.initiator(keys: alice, joiner: bobParameters)
        ratchets = [
            "alice": try Ratchet(initiator: alice, peer: bobParameters, maximumVersion: maximum),
            "bob": try Ratchet(joiner: bob, peer: aliceParameters, maximumVersion: maximum, freshKey: fresh),
        ]
    }

    /// Reads the recorded parameters and checks that they are those of the recorded private keys.
    private static func parameters(
        _ value: VectorValue, _ pairs: RatchetKeyPairs, _ version: UInt16
    ) throws -> RatchetParameters {
        let parameters = try decodeAll(#require(value.bytes)) { try RatchetParameters(from: &$0) }
        #expect(parameters == pairs.parameters(version: version))
        return parameters
    }

    private static func pairs(_ scenario: VectorValue, _ name: String) throws -> RatchetKeyPairs {
        RatchetKeyPairs(
            first: try key(scenario["\(name)_x3dh_1"]["private"]),
            second: try key(scenario["\(name)_x3dh_2"]["private"]))
    }

    private static func key(_ value: VectorValue) throws -> X448.PrivateKey {
        try X448.PrivateKey(rawRepresentation: SecretBytes(try #require(value.bytes)))
    }

    mutating func perform(_ step: VectorValue) throws {
        let name = try #require(step["by"].string)
        let message = try #require(step["message"].string)
        var ratchet = try #require(ratchets[name])
        switch step["op"].string {
        case "encrypt":
            let sent = try Self.encrypt(step, with: &ratchet)
            #expect(sent == step["ciphertext"].bytes, "\(message) of \(name)")
            messages[message] = sent
        case "decrypt":
            let key = try Self.key(step["own_dh_private_after"])
            let received = try ratchet.decrypt(try #require(messages[message])) { key }
            #expect(received == step["plaintext"].bytes, "\(message) at \(name)")
            #expect(Self.skippedKeys(ratchet) == Self.skippedKeys(step["skipped_keys_after"]), "\(message) at \(name)")
        case "decrypt_fails":
            let expected: RatchetError = step["error"].string == "CERatchetHeader" ? .header : .duplicateMessage
            let sent = try #require(messages[message])
            #expect(throws: expected) { try ratchet.decrypt(sent) }
            #expect(ratchet == ratchets[name])
        default: Issue.record("unknown step \(step["op"])")
        }
        ratchets[name] = ratchet
        if !step["state_after"].isNull { try expectState(of: name, step["state_after"]) }
    }

    private static func encrypt(_ step: VectorValue, with ratchet: inout Ratchet) throws -> [UInt8] {
        let key = try ratchet.takeSendingKey()
        #expect(key.encryptedHeader == step["encrypted_header"].bytes)
        #expect(key.messageKey.key.bytes == step["message_key"].bytes)
        #expect(key.messageKey.iv == step["message_iv"].bytes)
        #expect(key.associatedData == step["associated_data"].bytes)
        #expect(try SendingKey(decoding: key.encoded) == key)
        return try key.encrypt(#require(step["plaintext"].bytes), paddedTo: #require(step["padded_length"].integer))
    }

    private static func skippedKeys(_ ratchet: Ratchet) -> Set<[[UInt8]]> {
        Set(
            ratchet.skipped.chains.flatMap { chain in
                chain.keys.map { number, key in
                    [chain.headerKey.bytes, [UInt8(number)], key.key.bytes, key.iv]
                }
            })
    }

    private static func skippedKeys(_ value: VectorValue) -> Set<[[UInt8]]> {
        Set(
            value.items.map { key in
                [
                    key["header_key"].bytes ?? [], [UInt8(key["n"].integer ?? 255)], key["key"].bytes ?? [],
                    key["iv"].bytes ?? [],
                ]
            })
    }

    /// Compares with the state as the recording program stored it.
    func expectState(of name: String, _ state: VectorValue) throws {
        let ratchet = try #require(ratchets[name])
        #expect(ratchet.associatedData == Self.bytes(state["rcAD"]))
        #expect(ratchet.rootKey.bytes == Self.bytes(state["rcRK"]))
        #expect(ratchet.nextReceivingHeaderKey.bytes == Self.bytes(state["rcNHKr"]))
        #expect(ratchet.nextSendingHeaderKey.bytes == Self.bytes(state["rcNHKs"]))
        #expect(Int(ratchet.sentCount) == state["rcNs"].integer)
        #expect(Int(ratchet.receivedCount) == state["rcNr"].integer)
        #expect(Int(ratchet.previousSentCount) == state["rcPN"].integer)
        #expect([Int(ratchet.version), Int(ratchet.maximumVersion)] == state["rcVersion"].items.map(\.integer))
        #expect(ratchet.sending?.chainKey.bytes == Self.bytes(state["rcSnd"]["rcCKs"]))
        #expect(ratchet.sending?.headerKey.bytes == Self.bytes(state["rcSnd"]["rcHKs"]))
        #expect(ratchet.sending?.peerKey.derRepresentation == Self.bytes(state["rcSnd"]["rcDHRr"]))
        #expect(ratchet.receiving?.chainKey.bytes == Self.bytes(state["rcRcv"]["rcCKr"]))
        #expect(ratchet.receiving?.headerKey.bytes == Self.bytes(state["rcRcv"]["rcHKr"]))
        // Private keys are stored as base64url of base64url of PKCS #8.
        let stored = try #require(Self.bytes(state["rcDHRs"]))
        let key = try Base64URL.decode(String(decoding: stored, as: UTF8.self))
        #expect(key == ratchet.ownKey.derRepresentation.bytes)
    }

    private static func bytes(_ value: VectorValue) -> [UInt8]? {
        value.string.flatMap { try? Base64URL.decode($0) }
    }
}
