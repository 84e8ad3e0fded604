import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// Vectors of the Agent fact sheet §13.
@Suite(.timeLimit(.minutes(5))) struct KeyDerivationTests {
    private func x448(_ bytes: some Sequence<UInt8>) throws -> X448.PrivateKey {
        try X448.PrivateKey(rawRepresentation: SecretBytes(Array(bytes)))
    }

    @Test func `chain step is the documented one`() throws {
        let step = try RatchetKDF.chain(SecretBytes(Array(0x20...0x3F)))
        #expect(
            step.chainKey.bytes.hexadecimal == "94c475df8b1a4d2e1c503a5b91428e61e1e369f8b8f9cffb71e131d241449d72")
        #expect(
            step.message.key.bytes.hexadecimal == "16b69dbf13c1d3bea2505250c166436a8ee9eb58fd2dec03778acb4efb2447a3")
        #expect(step.message.iv.hexadecimal == "9ac2e2a6d99ef9c81cb77895071835b8")
        #expect(step.headerIV.hexadecimal == "c2e3e04c2221ffd0b573ce39513c63a2")
    }

    @Test func `root step is the documented one`() throws {
        let first = try x448(0x00...0x37)
        let second = try x448(0x38...0x6F)
        let step = try RatchetKDF.root(
            SecretBytes(Array(0x00...0x1F)), sharedSecret: first.sharedSecret(with: second.publicKey))
        #expect(step.rootKey.bytes.hexadecimal == "835a11af9bf26cde6e2b3cd0eefcb9dc333637d781e8f3a945e1c7d4ae2f34c6")
        #expect(step.chainKey.bytes.hexadecimal == "b5fcb1e166c1ef4d083d517fc77bd5cf07f0154e211207e3c9dbb80e546b973c")
        #expect(
            step.nextHeaderKey.bytes.hexadecimal == "7edf1c9542cba8747c50f56bbd9cdcf23b175d03f6aaa16da5979d33368c50fb")
    }

    @Test func `key agreement gives both sides the documented secrets`() throws {
        let keys = try FactSheetKeys()
        let joined = try X3DH.joiner(keys: keys.joiner, initiator: keys.initiator.parameters(version: 2))
        let answered = try X3DH.initiator(keys: keys.initiator, joiner: keys.joiner.parameters(version: 2))
        #expect(joined == answered)
        #expect(
            joined.headerKey.bytes.hexadecimal == "349e0ad10a4516020228ad9f97be3f98ab0ed9fc0232352f1e43e22999bb9440")
        #expect(
            joined.nextHeaderKey.bytes.hexadecimal
                == "34481505d16060e82979bccfe242eaae960a22a884057100baaeef1458860545")
        #expect(joined.rootKey.bytes.hexadecimal == "36610fc17ce9437527b281ed0f5d21c4cc0b3d3f8cb8cfae9770b2ed51d92aff")
        #expect(joined.associatedData.hexadecimal == FactSheetKeys.associatedData)
    }

    @Test(arguments: [2, 3] as [UInt16]) func `first message is the documented one`(version: UInt16) throws {
        let keys = try FactSheetKeys()
        var joiner = try Ratchet(
            joiner: keys.joiner, peer: keys.initiator.parameters(version: version), maximumVersion: version,
            freshKey: keys.fresh)
        let message = try joiner.encrypt(Array("hello".utf8), paddedTo: 32)
        #expect(message.hexadecimal == FactSheetKeys.firstMessage[version])

        var initiator = try Ratchet(
            initiator: keys.initiator, peer: keys.joiner.parameters(version: version), maximumVersion: version)
        #expect(try initiator.decrypt(message) == Array("hello".utf8))
    }

    @Test func `sixteen byte vectors are taken as NIST says`() throws {
        let padded = [0, 5] + Array("hello".utf8) + [UInt8](repeating: UInt8(ascii: "#"), count: 9)
        let sealed = try AESGCM.seal(
            padded, key: SecretBytes(Array(0x00...0x1F)), iv: Array(0x00...0x0F), authenticatedData: Array("ad".utf8))
        #expect(
            (sealed.ciphertext + sealed.tag).hexadecimal
                == "6769c8135588250bbedcf80a76870f90929bdffb22637a7b49518773c5a04b44")
    }

    @Test func `security code is the hash of both first keys in groups of five digits`() throws {
        let keys = try FactSheetKeys()
        let ratchet = try Ratchet(joiner: keys.joiner, peer: keys.initiator.parameters(version: 2))
        let data = try #require([UInt8](hexadecimal: FactSheetKeys.associatedData))
        #expect(ratchet.securityCode.bytes == Digest.sha256(data))
        let groups = ratchet.securityCode.text.split(separator: " ")
        #expect(groups.dropLast().allSatisfy { $0.count == 5 })
        #expect(groups.joined().allSatisfy { $0.isWholeNumber })
        // Horner's scheme modulo 2^256 gives the bytes back.
        var number = [UInt8](repeating: 0, count: 32)
        for digit in groups.joined() {
            var carry = try #require(digit.wholeNumberValue)
            for index in number.indices.reversed() {
                let value = Int(number[index]) * 10 + carry
                number[index] = UInt8(value & 255)
                carry = value >> 8
            }
            #expect(carry == 0)
        }
        #expect(number == ratchet.securityCode.bytes)
    }
}

/// The keys of a key agreement (Agent fact sheet §13): private P(i) = bytes (7i + j) mod 256.
struct FactSheetKeys {
    let joiner: RatchetKeyPairs
    let initiator: RatchetKeyPairs
    let fresh: X448.PrivateKey

    init() throws {
        func key(_ index: Int) throws -> X448.PrivateKey {
            try X448.PrivateKey(rawRepresentation: SecretBytes((0..<56).map { UInt8((7 * index + $0) & 255) }))
        }
        joiner = RatchetKeyPairs(first: try key(1), second: try key(2))
        initiator = RatchetKeyPairs(first: try key(3), second: try key(4))
        fresh = try key(5)
    }

    static let associatedData = """
        849ac052cfbd7aae5040822bed1e85821e4f3a7630e5e1adef393d0c26797c60aa3cdcd4a5176e8fb1728273e87dd8319b407402b2fdb87e\
        ad3297b2a2390e2a6322673c65555d0aa544c31f7f89b19cc0fa74ea806b24c6ce366a968953cc79bf7fd013f3efd6023bb140e6dfd5c68b
        """

    static let firstMessage: [UInt16: String] = [
        2: """
        7b000203b052a8cb97fdb61e5e3e667b9272eec04ad94c23b90bc24159cb0f0acf1ace5837facbc5e756f2c90b7dd0015d318b5567c86c8a\
        e30f1697014c91730edf67074b1e49315dab83d299840095e04d76df2fe0d5743de24b434a0621bce2cfa7bdb250074ef0cb665353cc2d41\
        50c8f47bdb80d10a752a4fcf4c767596c835a0acaebdf592371640787efbef3410521d26eb5bf3bf8d1058e5c805eb097612c41626b8d16f\
        748404e7
        """,
        3: """
        007c000303b052a8cb97fdb61e5e3e667b9272ee36f5591bb96e1cc2ecdb0b9b7d29d6eb005837e5cbc4e756f2c90b7dd0015d318b5567c8\
        6c8ae30f1697014c91730edf67074b1e49315dab83d299840095e04d76df2fe0d5743de24b434a0621bce2cfa7bdb250074ef0cb665353fc\
        2d4150c8f47bdba3d10a752a4fcfd3089858e13c7f89629b71d773ea78867efbef3410521d26eb5bf3bf8d1058e5c805eb097612c41626b8\
        d16f748404e7
        """,
    ]
}
