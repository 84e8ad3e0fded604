import TestSupport
import Testing

@testable import Cryptography

/// Chunks that are sealed one after the other.
@Suite(.timeLimit(.minutes(5))) struct SealedStreamTests {
    private static let key = SecretBytes(Array(0..<32))

    private func sealed(_ chunks: [[UInt8]]) throws -> (header: [UInt8], chunks: [[UInt8]]) {
        let writer = try SealedStreamWriter(key: Self.key)
        let sealed = try chunks.enumerated().map {
            try writer.seal($1, isLast: $0 == chunks.count - 1, associatedData: [7])
        }
        return (writer.header, sealed)
    }

    private func opened(_ stream: (header: [UInt8], chunks: [[UInt8]])) throws -> [[UInt8]] {
        let reader = try SealedStreamReader(key: Self.key, header: stream.header)
        return try stream.chunks.enumerated().map { index, chunk in
            let (opened, isLast) = try reader.open(chunk, associatedData: [7])
            #expect(isLast == (index == stream.chunks.count - 1))
            return opened
        }
    }

    @Test func `what was sealed comes back, chunk by chunk, with its end`() throws {
        var generator = SeededGenerator(seed: 1)
        for count in 1...20 {
            let chunks = (0..<count).map { _ in generator.bytes(Int.random(in: 0...3_000, using: &generator)) }
            let stream = try sealed(chunks)
            #expect(zip(stream.chunks, chunks).allSatisfy { $0.count == $1.count + SealedStream.overhead })
            #expect(try opened(stream) == chunks)
        }
    }

    @Test func `a chunk that was changed, left out, repeated or exchanged does not open`() throws {
        let stream = try sealed([[1], [2, 2], [3, 3, 3]])
        for index in stream.chunks.indices {
            for bit in 0..<stream.chunks[index].count * 8 {
                var changed = stream
                changed.chunks[index][bit / 8] ^= 1 << (bit % 8)
                #expect(throws: CryptographyError.authenticationFailed) { try opened(changed) }
            }
        }
        for order in [[1, 2], [0, 0, 1, 2], [0, 2], [1, 0, 2], [0, 2, 1]] {
            let changed = (stream.header, order.map { stream.chunks[$0] })
            #expect(throws: CryptographyError.authenticationFailed) { try opened(changed) }
        }
    }

    @Test func `another key, header or associated data opens nothing`() throws {
        let stream = try sealed([[1, 2, 3]])
        var header = stream.header
        header[0] ^= 1
        let readers = [
            try SealedStreamReader(key: Self.key, header: header),
            try SealedStreamReader(key: SecretBytes(Array(1..<33)), header: stream.header),
        ]
        for reader in readers {
            #expect(throws: CryptographyError.authenticationFailed) {
                try reader.open(stream.chunks[0], associatedData: [7])
            }
        }
        let right = try SealedStreamReader(key: Self.key, header: stream.header)
        #expect(throws: CryptographyError.authenticationFailed) { try right.open(stream.chunks[0]) }
    }

    @Test func `keys, headers and chunks of other sizes are refused`() throws {
        #expect(throws: CryptographyError.invalidLength) { try SealedStreamWriter(key: SecretBytes([1])) }
        #expect(throws: CryptographyError.invalidLength) { try SealedStreamReader(key: Self.key, header: [1]) }
        let reader = try SealedStreamReader(key: Self.key, header: Array(repeating: 0, count: SealedStream.headerCount))
        for count in 0..<SealedStream.overhead {
            #expect(throws: CryptographyError.authenticationFailed) {
                try reader.open(Array(repeating: 0, count: count))
            }
        }
    }
}
