import Cryptography
import SMP
import TestSupport
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(5))) struct MirroredBlockTests {
    private func transmission(_ command: Command, _ entity: EntityID, _ id: CorrelationID) throws -> [UInt8] {
        try Transmission(
            command, correlationID: id, entityID: entity, version: 14, sessionID: [1, 2, 3],
            key: command.tag == .ping ? nil : .ed25519(.init()), serverKey: nil
        ).encoded(14)
    }

    @Test func `answers each command so that a client understands`() throws {
        let entities = [EntityID.random(), .none, .random()]
        let ids = entities.map { _ in CorrelationID.random() }
        let payload = try Batch.encode([
            transmission(.send(notify: false, body: [1, 2]), entities[0], ids[0]),
            transmission(.ping, entities[1], ids[1]),
            transmission(.subscribe, entities[2], ids[2]),
        ])
        let block = try #require(MirroredBlock(payload))
        #expect(block.sends.map { Array($0) } == [entities[0].bytes])
        #expect(block.subscriptions.map { Array($0) } == [entities[2].bytes])
        let answers = try Batch.transmissions(block.answer, version: 14).map { try $0.get() }
        #expect(answers.map(\.correlationID) == ids)
        #expect(answers.map(\.entityID) == entities)
        #expect(try answers.allSatisfy { try BrokerMessage(decoding: $0.command, version: 14) == .ok })
    }

    @Test func `refuses what is cut short or too long`() throws {
        let payload = try Batch.encode([transmission(.subscribe, .random(), .random())])
        for count in 0..<payload.count where MirroredBlock(Array(payload.prefix(count))) != nil {
            Issue.record("took \(count) of \(payload.count) bytes")
        }
        #expect(MirroredBlock(payload + [0]) == nil)
    }

    @Test func `garbage never harms`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...80, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...40, using: &generator) }
            if let block = MirroredBlock(bytes) { #expect(block.answer.first == bytes.first) }
        }
    }
}
