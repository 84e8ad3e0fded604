import Signaling
import TestSupport
import Testing

@Suite("Bodies of messages")
struct ChatBodyTests {
    static let deleted = #"{"event":"x.direct.del","params":{}}"#

    @Test("A batch gives its messages in order, and a bad one does not harm the others")
    func batch() throws {
        let text = "[\(Self.deleted),{\"event\":1},\(#"{"event":"x.other"}"#)]"
        let body = try ChatBody(decoding: Array(text.utf8))
        #expect(body.messages.map(\.event.name) == ["x.direct.del", "x.other"])
        #expect(body.refused == [.invalidField("event")])
    }

    @Test("An empty batch is no message and no error")
    func emptyBatch() throws {
        let body = try ChatBody(decoding: Array("[]".utf8))
        #expect(body.messages.isEmpty)
        #expect(body.refused.isEmpty)
    }

    @Test("Raw items of a compressed body are read")
    func rawItems() throws {
        let item: [UInt8] = [0x30, UInt8(Self.deleted.utf8.count)] + Array(Self.deleted.utf8)
        let bytes: [UInt8] = [UInt8(ascii: "X"), 2] + item + item
        #expect(try ChatBody(decoding: bytes).messages.count == 2)
    }

    @Test("A zstd item is refused, and raw ones beside it are read")
    func zstdItem() throws {
        let zstd: [UInt8] = [0x31, 0, 3, 1, 2, 3]
        let raw = [0x30, UInt8(Self.deleted.utf8.count)] + Array(Self.deleted.utf8)
        #expect(throws: SignalingError.unsupportedBody(.compressed)) {
            try ChatBody(decoding: [UInt8(ascii: "X"), 1] + zstd)
        }
        let body = try ChatBody(decoding: [UInt8(ascii: "X"), 2] + zstd + raw)
        #expect(body.messages.count == 1)
        #expect(body.refused == [.unsupportedBody(.compressed)])
    }

    @Test(
        "A compressed body that does not add up is an error",
        arguments: [[], [0], [1], [1, 0x30], [1, 0x30, 5, 1], [1, 0x31, 0], [1, 0x32, 0], [1, 0x30, 0, 9]] as [[UInt8]])
    func malformedItems(rest: [UInt8]) {
        #expect(throws: SignalingError.malformedCompression) {
            try ChatBody(decoding: [UInt8(ascii: "X")] + rest)
        }
    }

    @Test("A compressed body within a compressed body is refused")
    func nestedItems() {
        let inner: [UInt8] = [UInt8(ascii: "X"), 1, 0x30, 0]
        #expect(throws: SignalingError.malformedCompression) {
            try ChatBody(decoding: [UInt8(ascii: "X"), 1, 0x30, UInt8(inner.count)] + inner)
        }
    }

    @Test("Other kinds of body are recognised by their first byte")
    func otherKinds() {
        #expect(throws: SignalingError.emptyBody) { try ChatBody(decoding: []) }
        #expect(throws: SignalingError.unsupportedBody(.binaryBatch)) { try ChatBody(decoding: Array("=1".utf8)) }
        #expect(throws: SignalingError.unsupportedBody(.fileChunk)) { try ChatBody(decoding: Array("Fx".utf8)) }
        #expect(throws: SignalingError.unknownBody(firstByte: 0x20)) { try ChatBody(decoding: Array(" {}".utf8)) }
    }

    @Test("More than 65,536 bytes are not even looked at")
    func tooLarge() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 65_537)
        #expect(throws: SignalingError.tooLarge(count: 65_537, limit: 65_536)) { try ChatBody(decoding: bytes) }
        #expect(throws: SignalingError.invalidJSON(.tooDeep)) { try ChatBody(decoding: bytes.dropLast()) }
    }

    @Test("5,000 random bodies give messages or an error")
    func random() {
        var generator = SeededGenerator(seed: 21)
        let starts = Array("{[X=F".utf8)
        for _ in 0..<5_000 {
            let start = starts.randomElement(using: &generator) ?? 0
            let bytes = [start] + generator.bytes(Int.random(in: 0...60, using: &generator))
            #expect(throws: SignalingError.self) { try ChatBody(decoding: bytes) }
        }
    }
}
