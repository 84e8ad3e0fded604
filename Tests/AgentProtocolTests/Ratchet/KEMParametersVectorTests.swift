import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// The layout of post-quantum keys, which this program reads, checks for their length and writes back.
@Suite(.timeLimit(.minutes(5))) struct KEMParametersVectorTests {
    private func written(_ parameters: KEMParameters) throws -> [UInt8] {
        var writer = ByteWriter()
        try parameters.encode(to: &writer)
        return writer.written
    }

    @Test func `proposal and acceptance have the vectors' layout, both ways`() throws {
        let vectors = try Vectors.group("sntrup761").items
        #expect(!vectors.isEmpty)
        for vector in vectors {
            let key = try #require(vector["public"].bytes)
            let ciphertext = try #require(vector["ciphertext"].bytes)
            let start = try #require(vector["public_encoded_as_proposal"].bytes)
            let proposal = try written(.proposed(key: key))
            let acceptance = try written(.accepted(ciphertext: ciphertext, key: key))
            #expect(proposal.starts(with: start))
            #expect(Digest.sha256(proposal) == vector["encoded_proposal_sha256"].bytes)
            #expect(Digest.sha256(acceptance) == vector["encoded_acceptance_sha256"].bytes)
            #expect(try ByteReader.all(of: proposal) { try KEMParameters(from: &$0) } == .proposed(key: key))
            #expect(
                try ByteReader.all(of: acceptance) { try KEMParameters(from: &$0) }
                    == .accepted(ciphertext: ciphertext, key: key))
        }
    }

    @Test func `keys and ciphertexts of another length are refused`() throws {
        let (key, ciphertext) = ([UInt8](repeating: 1, count: 1158), [UInt8](repeating: 2, count: 1039))
        let wrong: [KEMParameters] = [
            .proposed(key: Array(key.dropLast())), .proposed(key: key + [1]),
            .accepted(ciphertext: ciphertext + [2], key: key), .accepted(ciphertext: ciphertext, key: []),
        ]
        for parameters in wrong {
            let bytes = try written(parameters)
            #expect(throws: AgentDecodingError.malformed) {
                try ByteReader.all(of: bytes) { try KEMParameters(from: &$0) }
            }
        }
    }
}
