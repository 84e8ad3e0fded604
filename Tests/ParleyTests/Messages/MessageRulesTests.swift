import BaseKit
import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// What is kept of messages, as values.
@Suite(.timeLimit(.minutes(5))) struct MessageRulesTests {
    private static let (ann, bob) = (ContactID(rawValue: "ann"), ContactID(rawValue: "bob"))

    private func key(_ contact: ContactID = ann, isOwn: Bool = false, message: Int64 = 0, _ identifier: String = "")
        -> MessageKey
    {
        MessageKey(contact: contact, isOwn: isOwn, message: message, identifier: identifier)
    }

    @Test func `the last 200 of a contact are kept`() {
        var index = MessageIndex()
        let gone = (1...203 as ClosedRange<Int64>).map { index.append($0, key($0 == 201 ? Self.bob : Self.ann)) }
        #expect(gone.dropLast(2).joined().isEmpty)
        #expect(gone.suffix(2) == [[1], [2]])
        #expect(index.entries[Self.ann]?.count == 200)
        #expect(index.count == 201)
    }

    @Test func `no more than 10,000 are kept in all, and the oldest go`() {
        var index = MessageIndex()
        var gone: [Int64] = []
        for number in 1...10_003 as ClosedRange<Int64> {
            gone += index.append(number, key(ContactID(rawValue: "\(number % 100)")))
        }
        #expect(gone == [1, 2, 3])
        #expect(index.count == 10_000)
    }

    @Test func `those of others count as unread until they are read`() {
        var index = MessageIndex()
        _ = index.append(1, key())
        _ = index.append(2, key(isOwn: true, message: 7))
        _ = index.append(3, key())
        _ = index.append(4, key(Self.bob))
        #expect(index.unread == [Self.ann: 2, Self.bob: 1])
        let news = [index.markRead(Self.ann), index.markRead(Self.ann)]
        #expect(news == [true, false])
        #expect(index.unread == [Self.bob: 1])
        _ = index.append(5, key())
        #expect(index.unread == [Self.ann: 1, Self.bob: 1])
        index.forget(Self.bob)
        #expect(index.unread == [Self.ann: 1])
        #expect(index.count == 4)
    }

    @Test func `a message is found by what its writer or the agent calls it`() {
        var index = MessageIndex()
        _ = index.append(1, key("a"))
        _ = index.append(2, key(isOwn: true, message: 7, "a"))
        _ = index.append(3, key(Self.bob, "a"))
        _ = index.append(4, key(""))
        #expect(index.incoming(Self.ann, "a")?.number == 1)
        #expect(index.incoming(Self.ann, "") == nil)
        #expect(index.own(Self.ann, 7)?.number == 2)
        #expect(index.own(Self.bob, 7) == nil)
        #expect(index.own(Self.ann, 0) == nil)
    }

    @Test func `what has expired is named, and when more does`() {
        var index = MessageIndex()
        for number in 1...3 as ClosedRange<Int64> { _ = index.append(number, key()) }
        index.setExpiry(50, of: 1, Self.ann)
        index.setExpiry(60, of: 3, Self.ann)
        #expect(index.nextExpiry == 50)
        #expect(index.expired(at: 49).isEmpty)
        #expect(index.expired(at: 50).map(\.number) == [1])
        #expect(index.expired(at: 60).map(\.number) == [1, 3])
    }

    @Test func `who writes without end is borne as long as what is kept of them`() {
        var budget = MessageBudget()
        let start = Instant(sinceStart: .seconds(100))
        let burst = (0..<500).count { _ in budget.admits(Self.ann, at: start) }
        #expect(burst == 200)
        let others: [(ContactID, Duration)] = [
            (Self.bob, .zero), (Self.ann, .seconds(2)), (Self.ann, .seconds(3)), (Self.ann, .seconds(3)),
        ]
        let later = others.map { budget.admits($0, at: start + $1) }
        #expect(later == [true, false, true, false])
    }

    @Test func `all together are borne only so far`() {
        var budget = MessageBudget()
        let start = Instant(sinceStart: .seconds(100))
        let admitted = (0..<3_000).count { budget.admits(ContactID(rawValue: "\($0)"), at: start) }
        #expect(admitted == 2_000)
    }

    @Test(arguments: [
        ("  hi \n", "hi"), ("a\r\nb\rc\u{2028}d", "a\nb\nc\nd"), ("a\tb", "a b"), ("\u{202E}evil", "\u{FFFD}evil"),
        ("a\u{0}\u{1B}[2Jb", "a\u{FFFD}\u{FFFD}[2Jb"), (" \n\t ", ""), ("\u{2067}x\u{2069}", "\u{FFFD}x\u{FFFD}"),
        ("👩‍👩‍👧 é", "👩‍👩‍👧 é"),
    ])
    func `a text is cleaned, and its lines are kept`(text: String, expected: String) {
        #expect(MessageText.cleaned(text) == expected)
    }

    @Test func `a text beyond 16 kB is cut between characters`() {
        let text = String(repeating: "é", count: 20_000)
        let cut = MessageText.cleaned(text)
        #expect(cut.utf8.count == 16_384)
        #expect(cut.allSatisfy { $0 == "é" })
        // One character of many marks.
        #expect(MessageText.cleaned("e" + String(repeating: "\u{301}", count: 30_000)).utf8.count <= 16_384)
    }

    @Test(arguments: [
        ("a.pdf", "a.pdf"), ("../../etc/passwd", "passwd"), (#"C:\x\y.doc"#, "y.doc"),
        ("a\u{202E}fdp.exe", "a\u{FFFD}fdp.exe"),
        ("a\nb", "a b"), (String(repeating: "x", count: 500), String(repeating: "x", count: 120)),
    ])
    func `a file has a name without folders`(name: String, expected: String) {
        #expect(MessageText.fileName(name) == expected)
    }

    @Test func `what came with a text is named by its kind`() {
        func attachment(_ kind: MessageContent.Kind, file: FileAnnouncement? = nil) -> TextMessage.Attachment? {
            TextMessage.Attachment(MessageContent(kind, text: ""), file: file)
        }
        let file = FileAnnouncement(name: "a", size: 5)
        #expect(attachment(.text) == nil)
        #expect(attachment(.link) == nil)
        #expect(attachment(.image, file: file) == .picture)
        #expect(attachment(.video(seconds: 3)) == .video(seconds: 3))
        #expect(attachment(.voice(seconds: nil), file: file) == .voice(seconds: nil))
        #expect(attachment(.file, file: file) == .file(name: "a", size: 5))
        #expect(attachment(.text, file: file) == .file(name: "a", size: 5))
        #expect(attachment(.file) == .unnamedFile)
        #expect(attachment(.other("x")) == .other)
    }

    @Test func `what was said of a message is not taken back`() {
        let all = TextMessage.State.allCases
        let allowed = all.flatMap { former in all.filter { $0.mayFollow(former) }.map { [former, $0] } }
        #expect(
            allowed == [
                [.waiting, .sent], [.waiting, .delivered], [.waiting, .failed], [.sent, .delivered], [.sent, .failed],
            ])
    }

    @Test(arguments: 0..<200) func `a record is read back, and a damaged one is an error`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func text(_ most: Int) -> String {
            String(
                (0..<Int.random(in: 0...most, using: &generator)).map { _ in "aé😀\n".randomElement(using: &generator)! }
            )
        }
        let key = MessageKey(
            contact: ContactID(rawValue: text(20)), isOwn: Bool.random(using: &generator),
            message: Int64.random(in: 0...(.max), using: &generator), identifier: text(20),
            timeToLive: Int64.random(in: 0...(.max), using: &generator))
        #expect(try MessageKey(decoding: key.encoded()) == key)
        var record = MessageRecord(
            text: text(50), sentAt: 5, arrivedAt: Int64.random(in: 0...(.max), using: &generator))
        record.state = TextMessage.State.allCases.randomElement(using: &generator)
        record.attachment = [nil, .init(.file(name: text(5), size: 5)), .init(.voice(seconds: nil)), .init(.other)]
            .randomElement(using: &generator)!
        record.expiresAt = Bool.random(using: &generator) ? 9 : nil
        #expect(try MessageRecord(decoding: record.encoded()) == record)
        for bytes in [key.encoded(), record.encoded()] {
            let cut = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
            #expect(throws: MessageRecordError.self) { try MessageKey(decoding: cut) }
            #expect(throws: MessageRecordError.self) { try MessageRecord(decoding: cut) }
            var changed = bytes
            changed[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            _ = try? MessageKey(decoding: changed)
            _ = try? MessageRecord(decoding: changed)
        }
        #expect(throws: MessageRecordError.newerVersion(2)) { try MessageKey(decoding: [2]) }
    }

    @Test func `attachments are kept as they are`() {
        let attachments: [TextMessage.Attachment] = [
            .picture, .video(seconds: 7), .video(seconds: nil), .voice(seconds: 1), .file(name: "a b", size: 3),
            .unnamedFile, .other,
        ]
        for attachment in attachments {
            var record = MessageRecord(text: "", sentAt: 0, arrivedAt: 0)
            record.attachment = MessageRecord.Attachment(attachment)
            #expect(record.message(1, key()).attachment == attachment)
        }
    }
}

extension MessageRulesTests {
    private func key(_ identifier: String) -> MessageKey { key(Self.ann, identifier) }
    private func key(_ contact: ContactID, _ identifier: String) -> MessageKey {
        MessageKey(contact: contact, isOwn: false, identifier: identifier)
    }
}
