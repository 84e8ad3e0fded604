import TestSupport
import Testing

@testable import Signaling

@Suite("Bodies of messages", .timeLimit(.minutes(5)))
struct ChatBodyTests {
    static let deleted = #"{"event":"x.direct.del","params":{}}"#

    @Test func `a batch gives its messages in order, and a bad one does not harm the others`() throws {
        let text = "[\(Self.deleted),{\"event\":1},\(#"{"event":"x.other"}"#)]"
        let body = try ChatBody(decoding: Array(text.utf8))
        #expect(body.messages.map(\.event.name) == ["x.direct.del", "x.other"])
        #expect(body.refused == [.invalidField("event")])
    }

    @Test func `an empty batch is no message and no error`() throws {
        let body = try ChatBody(decoding: Array("[]".utf8))
        #expect(body.messages.isEmpty)
        #expect(body.refused.isEmpty)
    }

    @Test func `raw items of a compressed body are read`() throws {
        let item: [UInt8] = [0x30, UInt8(Self.deleted.utf8.count)] + Array(Self.deleted.utf8)
        let bytes: [UInt8] = [UInt8(ascii: "X"), 2] + item + item
        #expect(try ChatBody(decoding: bytes).messages.count == 2)
    }

    /// Frames of `deleted` by the command line program of zstd, with size and checksum and without both.
    private static let frames = [
        "28b52ffd24242101007b226576656e74223a22782e6469726563742e64656c222c22706172616d73223a7b7d7d551a6f5a",
        "28b52ffd00582101007b226576656e74223a22782e6469726563742e64656c222c22706172616d73223a7b7d7d",
    ]

    private static func item(_ frame: [UInt8]) -> [UInt8] {
        [0x31, UInt8(frame.count >> 8), UInt8(frame.count & 0xFF)] + frame
    }

    @Test(arguments: frames)
    func `a zstd item of another program is read`(frame: String) throws {
        let item = Self.item(try #require([UInt8](hexadecimal: frame)))
        let body = try ChatBody(decoding: [UInt8(ascii: "X"), 2] + item + item)
        #expect(body.messages.map(\.event) == [.contactDeleted, .contactDeleted])
        #expect(try ChatMessage(connectionInformation: [UInt8(ascii: "X"), 1] + item).event == .contactDeleted)
    }

    @Test func `what is no zstd frame is refused, and items beside it are read`() throws {
        let bad = Self.item([1, 2, 3])
        let raw = [0x30, UInt8(Self.deleted.utf8.count)] + Array(Self.deleted.utf8)
        #expect(throws: SignalingError.malformedCompression) { try ChatBody(decoding: [UInt8(ascii: "X"), 1] + bad) }
        let body = try ChatBody(decoding: [UInt8(ascii: "X"), 2] + bad + raw)
        #expect(body.messages.count == 1)
        #expect(body.refused == [.malformedCompression])
    }

    @Test func `the items of a body may together not grow beyond 65,536 bytes`() throws {
        let text = #"{"event":"x.other","params":{"a":""# + String(repeating: "a", count: 40_000) + "\"}}"
        let item = Self.item(try #require(Zstandard.compress(Array(text.utf8))))
        #expect(item.count < 200)
        let body = try ChatBody(decoding: [UInt8(ascii: "X"), 2] + item + item)
        #expect(body.messages.count == 1)
        #expect(body.refused == [.tooLarge(count: text.utf8.count, limit: 65_536 - text.utf8.count)])
    }

    @Test func `a message that does not fit is compressed, and one that still does not is refused`() throws {
        func message(_ text: String) -> ChatMessage { ChatMessage(.note(text), identifier: "id") }
        let short = message(String(repeating: "a", count: 15_000))
        #expect(try short.encoded().first == UInt8(ascii: "{"))
        let long = message(String(repeating: "a", count: 20_000))
        let body = try long.encoded()
        #expect(body.first == UInt8(ascii: "X"))
        #expect(body.count < 1_000)
        #expect(try ChatBody(decoding: body).messages == [long])
        var generator = SeededGenerator(seed: 3)
        let noise = String(
            (0..<40_000).map { _ in Character(UnicodeScalar(UInt8.random(in: 48...122, using: &generator))) })
        #expect(throws: SignalingError.self) { try message(noise).encoded() }
        let beyond = message(String(repeating: "a", count: 70_000))
        #expect(throws: SignalingError.self) { try beyond.encoded() }
    }

    @Test func `a contact request with a picture is compressed`() throws {
        var profile = Profile(displayName: "Anna")
        profile.image = "data:image/jpg;base64," + String(repeating: "ABCD", count: 4_000)
        let request = ChatMessage(.contactRequest(ContactRequest(profile: profile)))
        let information = try request.encodedConnectionInformation()
        #expect(information.first == UInt8(ascii: "X"))
        #expect(try ChatMessage(connectionInformation: information) == request)
    }

    @Test(
        arguments: [[], [0], [1], [1, 0x30], [1, 0x30, 5, 1], [1, 0x31, 0], [1, 0x32, 0], [1, 0x30, 0, 9]] as [[UInt8]])
    func `a compressed body that does not add up is an error`(rest: [UInt8]) {
        #expect(throws: SignalingError.malformedCompression) {
            try ChatBody(decoding: [UInt8(ascii: "X")] + rest)
        }
    }

    @Test func `a compressed body within a compressed body is refused`() {
        let inner: [UInt8] = [UInt8(ascii: "X"), 1, 0x30, 0]
        #expect(throws: SignalingError.malformedCompression) {
            try ChatBody(decoding: [UInt8(ascii: "X"), 1, 0x30, UInt8(inner.count)] + inner)
        }
    }

    @Test func `other kinds of body are recognised by their first byte`() {
        #expect(throws: SignalingError.emptyBody) { try ChatBody(decoding: []) }
        #expect(throws: SignalingError.unsupportedBody(.binaryBatch)) { try ChatBody(decoding: Array("=1".utf8)) }
        #expect(throws: SignalingError.unsupportedBody(.fileChunk)) { try ChatBody(decoding: Array("Fx".utf8)) }
        #expect(throws: SignalingError.unknownBody(firstByte: 0x20)) { try ChatBody(decoding: Array(" {}".utf8)) }
    }

    @Test func `more than 65,536 bytes are not even looked at`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 65_537)
        #expect(throws: SignalingError.tooLarge(count: 65_537, limit: 65_536)) { try ChatBody(decoding: bytes) }
        #expect(throws: SignalingError.invalidJSON(.tooDeep)) { try ChatBody(decoding: bytes.dropLast()) }
    }

    @Test func `5,000 random bodies give messages or an error`() {
        var generator = SeededGenerator(seed: 21)
        let starts = Array("{[X=F".utf8)
        for _ in 0..<5_000 {
            let start = starts.randomElement(using: &generator) ?? 0
            let bytes = [start] + generator.bytes(Int.random(in: 0...60, using: &generator))
            #expect(throws: SignalingError.self) { try ChatBody(decoding: bytes) }
        }
    }
}
