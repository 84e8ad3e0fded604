import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("Terms of a call", .timeLimit(.minutes(5)))
struct CallTermsTests {
    @Test func `only the reasons of security are marked so`() {
        #expect(
            CallEndReason.allCases.filter(\.isSecurity) == [
                .fingerprintMismatch, .encryptionRefused, .keyAgreementFailed, .encryptionRefusedByPeer,
                .keyAgreementFailedAtPeer,
            ])
    }

    @Test(
        arguments: [
            (.no, .no, false, false), (.no, .yes, false, false), (.no, .always, true, false),
            (.yes, .no, false, false), (.yes, .yes, true, true), (.yes, .always, true, true),
            (.always, .no, false, true), (.always, .yes, true, true), (.always, .always, true, true),
        ] as [(FeaturePreference, FeaturePreference, Bool, Bool)])
    func `who may call follows from both preferences`(
        mine: FeaturePreference, theirs: FeaturePreference, mayCall: Bool, mayBeCalled: Bool
    ) {
        let permissions = CallPermissions(mine: mine, theirs: theirs)
        #expect(permissions.mayCall == mayCall)
        #expect(permissions.mayBeCalled == mayBeCalled)
    }

    @Test func `both sides get the same frame key: the raw X25519 secret of 32 bytes`() throws {
        // The key pairs and the secret of RFC 7748 §6.1.
        let alice = try keys("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = try keys("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        let secret = try #require(
            [UInt8](hexadecimal: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
        #expect(try alice.frameKey(with: bob.publicKey).bytes == secret)
        #expect(try bob.frameKey(with: alice.publicKey).bytes == secret)
    }

    func keys(_ text: String) throws -> CallKeys {
        let bytes = try #require([UInt8](hexadecimal: text))
        return CallKeys(privateKey: try X25519.PrivateKey(rawRepresentation: SecretBytes(bytes)))
    }

    @Test func `a key from which no secret can be made is refused`() throws {
        let weak = try #require(Samples.weakKey)
        #expect(throws: CallEndReason.keyAgreementFailed) { try CallKeys().frameKey(with: weak) }
    }

    @Test func `the role decides which messages somebody may send at all`() {
        let messages = Inputs.peer.compactMap { if case .peer(let message) = $0.input { message } else { nil } }
        #expect(
            messages.map { $0.mayCome(from: .caller) } == [
                true, false, true, true, true, true, true, true, true, true, false, false, true, true,
            ])
        #expect(
            messages.map { $0.mayCome(from: .callee) } == [
                false, true, false, true, true, true, false, true, true, true, true, true, true, true,
            ])
    }
}
