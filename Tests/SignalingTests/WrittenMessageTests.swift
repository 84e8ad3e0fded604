import TestSupport
import Testing

@testable import Signaling

@Suite("Written messages", .timeLimit(.minutes(5)))
struct WrittenMessageTests {
    private func read(_ text: String) throws -> ChatMessage {
        let body = try ChatBody(decoding: Array(text.utf8))
        return try #require(body.messages.first)
    }

    private func written(_ parameters: String) throws -> WrittenMessage {
        guard case .written(let message) = try read(#"{"v":"1-16","event":"x.msg.new","params":\#(parameters)}"#).event
        else { throw SignalingError.invalidField("event") }
        return message
    }

    @Test func `a text is sent with the exact JSON of the protocol`() throws {
        let message = ChatMessage(.written(WrittenMessage(text: "hello\n“you”")), identifier: "YWJj")
        #expect(
            message.json.text
                == #"{"v":"1-9","msgId":"YWJj","event":"x.msg.new","params":{"content":{"type":"text","text":"hello\n“you”"}}}"#
        )
        #expect(message.event.notifies)
        #expect(try read(message.json.text) == message)
    }

    @Test(arguments: [
        (#"{"content":{"type":"text","text":"hi"}}"#, MessageContent.Kind.text, "hi"),
        (
            #"{"content":{"type":"link","text":"https://a.example","preview":{"uri":"u","title":"t"}}}"#, .link,
            "https://a.example"
        ),
        (#"{"content":{"type":"image","text":"","image":"data:image/jpg;base64,AA"}}"#, .image, ""),
        (#"{"content":{"type":"video","text":"x","image":"data:","duration":75}}"#, .video(seconds: 75), "x"),
        (#"{"content":{"type":"voice","text":"","duration":12}}"#, .voice(seconds: 12), ""),
        (#"{"content":{"type":"voice","duration":-1}}"#, .voice(seconds: nil), ""),
        (#"{"content":{"type":"voice","duration":1.5}}"#, .voice(seconds: nil), ""),
        (#"{"content":{"type":"file","text":"see"}}"#, .file, "see"),
        (#"{"content":{"type":"report","text":"r","reason":"spam"}}"#, .other("report"), "r"),
        (#"{"content":{"type":"new thing"}}"#, .other("new thing"), ""),
    ])
    func `each kind of content is read, with the text that came along`(
        parameters: String, kind: MessageContent.Kind, text: String
    ) throws {
        let message = try written(parameters)
        #expect(message.content == MessageContent(kind, text: text))
    }

    @Test func `file, quote, forward, live and the time to keep are read`() throws {
        let message = try written(
            #"{"quote":{"msgRef":{"sent":true},"content":{"type":"text","text":"q"}},"forward":true,"live":true,"ttl":3600,"#
                + #""file":{"fileName":"a.pdf","fileSize":2100000,"fileDescr":{}},"mentions":{},"content":{"type":"file","text":""}}"#
        )
        #expect(message.file == FileAnnouncement(name: "a.pdf", size: 2_100_000))
        #expect(message.isReply && message.isForwarded && message.isLive)
        #expect(message.timeToLive == 3_600)
        #expect(try written(#"{"forward":{"x":1},"content":{"type":"text","text":""}}"#).isForwarded)
        #expect(try !written(#"{"forward":false,"content":{"type":"text","text":""}}"#).isForwarded)
    }

    @Test func `an update and a deletion name the message`() throws {
        let update = try read(
            #"{"event":"x.msg.update","params":{"msgId":"eA==","content":{"type":"text","text":"b"},"ttl":5}}"#)
        #expect(
            update.event
                == .messageUpdated(
                    MessageUpdate(identifier: "eA==", content: MessageContent(text: "b"), timeToLive: 5)))
        #expect(!update.event.notifies)
        let deletion = try read(#"{"event":"x.msg.del","params":{"msgId":"eA==","memberId":null}}"#)
        #expect(deletion.event == .messageDeleted(identifier: "eA=="))
        #expect(!deletion.event.notifies)
    }

    @Test(arguments: [
        (#"{"event":"x.msg.new","params":{}}"#, SignalingError.missingField("content")),
        (#"{"event":"x.msg.new","params":[]}"#, .invalidField("params")),
        (#"{"event":"x.msg.new","params":{"content":{"text":"a"}}}"#, .missingField("type")),
        (#"{"event":"x.msg.new","params":{"content":{"type":"text"}}}"#, .missingField("text")),
        (#"{"event":"x.msg.new","params":{"content":{"type":"text","text":5}}}"#, .invalidField("text")),
        (#"{"event":"x.msg.new","params":{"content":{"type":"text","text":"a"},"ttl":"x"}}"#, .invalidField("ttl")),
        (#"{"event":"x.msg.new","params":{"content":{"type":"text","text":"a"},"ttl":0}}"#, .invalidField("ttl")),
        (
            #"{"event":"x.msg.new","params":{"content":{"type":"file"},"file":{"fileName":"a","fileSize":-1}}}"#,
            .invalidField("fileSize")
        ),
        (#"{"event":"x.msg.update","params":{"content":{"type":"text","text":"a"}}}"#, .missingField("msgId")),
        (#"{"event":"x.msg.del","params":{}}"#, .missingField("msgId")),
    ])
    func `what can't be used is an error`(text: String, error: SignalingError) {
        #expect(throws: error) { try read(text) }
    }

    @Test func `a text fits up to the last byte of a message, and is said to be too long from there on`() throws {
        let overhead = try ChatMessage(
            .written(WrittenMessage(text: "")), identifier: String(repeating: "A", count: 16)
        )
        .encoded().count
        let most = ChatMessage.maximumBody - overhead
        #expect(WrittenMessage.room(beside: String(repeating: "a", count: most)) == 0)
        #expect(WrittenMessage.room(beside: String(repeating: "a", count: most + 1)) == -1)
        // As bytes on the wire, escapes included.
        #expect(WrittenMessage.room(beside: String(repeating: "é", count: most / 2 + 2)) < 0)
        #expect(WrittenMessage.room(beside: String(repeating: "\n", count: most / 2 + 2)) < 0)
        let longest = ChatMessage.identified(.written(WrittenMessage(text: String(repeating: "a", count: most))))
        #expect(try longest.encoded().count == ChatMessage.maximumBody)
    }

    @Test func `messages in batches and in compressed bodies are read`() throws {
        let message = ChatMessage(.written(WrittenMessage(text: "hi")), identifier: "a")
        let batch = JSONValue.array([message.json, .null, message.json]).encoded
        let body = try ChatBody(decoding: batch)
        #expect(body.messages == [message, message])
        #expect(body.refused.count == 1)
        let long = ChatMessage(.written(WrittenMessage(text: String(repeating: "ha ", count: 10_000))), identifier: "b")
        let compressed = try long.encoded()
        #expect(compressed.first == UInt8(ascii: "X"))
        #expect(try ChatBody(decoding: compressed).messages == [long])
    }

    @Test(arguments: 0..<200)
    func `whatever is written is read back`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func text() -> String {
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                        Unicode.Scalar(UInt32.random(in: 0...0x1_0FFF, using: &generator))
                    }))
        }
        let kinds: [MessageContent.Kind] = [
            .text, .link, .image, .file, .video(seconds: Int.random(in: 0...9_999, using: &generator)),
            .video(seconds: nil),
            .voice(seconds: 3), .other("x" + text()),
        ]
        var message = WrittenMessage(
            MessageContent(kinds[Int.random(in: kinds.indices, using: &generator)], text: text()),
            file: Bool.random(using: &generator)
                ? FileAnnouncement(name: text(), size: Int.random(in: 0...Int(Int32.max), using: &generator)) : nil,
            timeToLive: Bool.random(using: &generator) ? Int.random(in: 1...99_999, using: &generator) : nil)
        message.isReply = Bool.random(using: &generator)
        message.isForwarded = Bool.random(using: &generator)
        message.isLive = Bool.random(using: &generator)
        let update = MessageUpdate(identifier: text(), content: message.content, timeToLive: message.timeToLive)
        for event in [ChatEvent.written(message), .messageUpdated(update), .messageDeleted(identifier: text())] {
            let chat = ChatMessage(event, identifier: "id")
            #expect(try read(chat.json.text) == chat)
        }
    }

    @Test(arguments: 0..<300)
    func `a damaged message is read or refused`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(
            #"{"v":"1-9","msgId":"a","event":"x.msg.new","params":{"content":{"type":"voice","text":"é\n","duration":12},"ttl":5,"file":{"fileName":"f","fileSize":1},"quote":{},"live":true}}"#
                .utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: index)
            default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: index)
            }
        }
        guard let body = try? ChatBody(decoding: bytes) else { return }
        for message in body.messages {
            #expect(try ChatMessage(json: try JSONValue(parsing: message.json.encoded)) == message)
        }
    }
}
