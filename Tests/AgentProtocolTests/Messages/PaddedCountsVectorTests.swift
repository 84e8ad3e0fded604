import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// The lengths that hide what a message is.
@Suite(.timeLimit(.minutes(5))) struct PaddedCountsVectorTests {
    @Test func `messages are padded to the vectors' lengths`() throws {
        let constants = try Vectors.group("constants")
        #expect(constants["agent_conn_info_padded_length"]["pq_off"].integer == PaddedCounts.connectionInformation)
        #expect(constants["agent_message_padded_length"]["pq_off"].integer == PaddedCounts.agentMessage)
        #expect(constants["e2e_enc_confirmation_length"].integer == PaddedCounts.confirmation)
        #expect(constants["e2e_enc_message_length"].integer == PaddedCounts.message)
    }

    @Test func `an encrypted header has the vectors' length`() throws {
        let joiner = RatchetKeyPairs()
        let initiator = RatchetKeyPairs()
        var ratchet = try Ratchet(joiner: joiner, peer: initiator.parameters(version: 2))
        let header = try ratchet.takeSendingKey().encryptedHeader
        #expect(try Vectors.group("constants")["ratchet_full_header_length"]["v2"].integer == header.count)
    }
}
