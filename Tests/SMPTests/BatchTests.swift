import TestSupport
import Testing

@testable import SMP

@Suite("Batches", .timeLimit(.minutes(5)))
struct BatchTests {
    @Test func `transmissions are packed in order, and every payload fits an encrypted block`() throws {
        var random = SeededGenerator(seed: 19)
        for _ in 0..<40 {
            let transmissions = (0..<Int.random(in: 0...600, using: &random)).map { _ in
                random.some(0...random.pick([0, 10, 100, 3_000], else: 10))
            }
            let payloads = try Batch.pack(transmissions)
            #expect(try payloads.flatMap { try Batch.decode($0) } == transmissions)
            #expect(payloads.allSatisfy { $0.count <= SMPLimits.encryptedBlock - Padding.lengthCount })
        }
    }

    @Test func `a payload is closed only when the next transmission does not fit`() throws {
        let half = counting(8_180)
        #expect(try Batch.pack([half, half]).count == 1)
        #expect(try Batch.pack([half, half + [0]]).count == 1)
        #expect(try Batch.pack([half + [0], half + [0]]).count == 2)
        #expect(try Batch.pack([half, half, []]).count == 2)
    }

    @Test func `no more than 255 go into one payload`() throws {
        let payloads = try Batch.pack(Array(repeating: [1], count: 256))
        #expect(payloads.map { $0.first } == [255, 1])
        #expect(throws: SMPEncodingError.tooLong) { try Batch.encode(Array(repeating: [1], count: 256)) }
    }

    @Test func `one that alone fills a payload is packed, and one byte more is too long`() throws {
        #expect(try Batch.pack([counting(16_363)]).count == 1)
        #expect(throws: SMPEncodingError.tooLong) { try Batch.pack([[1], counting(16_364)]) }
        #expect(try Batch.pack([]).isEmpty)
    }

    @Test func `a batch with a wrong count, left-over or missing bytes is refused as a whole`() throws {
        for payload in [[], [0], [1], [2, 0, 1, 9], [1, 0, 1, 9, 9], [1, 0, 2, 9], [0, 0, 0]] as [[UInt8]] {
            #expect(throws: SMPDecodingError.self) { try Batch.decode(payload) }
        }
        #expect(throws: SMPEncodingError.self) { try Batch.encode([]) }
    }

    @Test func `a bad transmission does not spoil its neighbours`() throws {
        let good = Transmission(correlationID: .random(), entityID: .none, command: Array("PING".utf8))
        let payload = try Batch.encode([good.encoded(17), [9], good.encoded(17)])
        let fault = TransmissionFault(error: .block, correlationID: .none)
        #expect(
            try Batch.transmissions(payload, version: 17) == [.success(good), .failure(fault), .success(good)])
    }
}
