import BaseKit
import Calling
import Foundation
import Parley
import Testing

@testable import DesktopApplication

/// What is shown of messages.
@Suite(.timeLimit(.minutes(1))) struct MessageRowsTests {
    private static let day: Int64 = 86_400

    private func message(
        _ id: Int64, _ text: String, at time: Int64, state: TextMessage.State? = nil,
        _ attachment: TextMessage.Attachment? = nil
    ) -> TextMessage {
        TextMessage(
            id: id, contact: ContactID(rawValue: "a"), state: state, text: text, attachment: attachment, sentAt: time,
            arrivedAt: time)
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    @Test func `each day has one heading`() {
        let now = Date(timeIntervalSince1970: TimeInterval(Self.day * 20_000 + 50_000))
        let messages = [
            message(1, "a", at: Self.day * 19_999 + 1), message(2, "b", at: Self.day * 19_999 + 2),
            message(3, "c", at: Self.day * 20_000 + 3),
        ]
        let rows = MessageRow.rows(messages, with: "Ada", now: now, calendar: calendar)
        let kinds = rows.map { if case .day(let heading) = $0 { heading } else { "-" } }
        #expect(kinds == ["Yesterday", "-", "-", "Today", "-"])
    }

    @Test func `a row says what came, when, and what became of it`() {
        let own = MessagePresentation(message(1, "hi", at: 60, state: .delivered), with: "Ada", zone: .gmt)
        #expect(own.isOwn)
        #expect(own.text == "hi")
        #expect(own.detail.hasSuffix(" · Delivered"))
        #expect(own.sentence.hasPrefix("You: hi ("))
        var file = message(2, "", at: 60, .file(name: "a.pdf", size: 2_100_000))
        file.isEdited = true
        let shown = MessagePresentation(file, with: "Ada", zone: .gmt)
        #expect(shown.text == nil)
        #expect(shown.attachment == "File a.pdf, 2.1 MB")
        #expect(shown.detail.hasSuffix(" · Edited"))
        #expect(shown.sentence.hasPrefix("Ada: File a.pdf, 2.1 MB ("))
        var gone = message(3, "", at: 60)
        gone.isDeleted = true
        #expect(MessagePresentation(gone, with: "Ada").attachment == "This message was deleted.")
        #expect(MessagePresentation(message(4, "x", at: 60, state: .failed), with: "Ada").isFailed)
    }

    @Test func `who writes is told when there is little room, and when there is none`() {
        #expect(MessageDraft("hi") == MessageDraft("hello"))
        #expect(MessageDraft("hi").canSend && MessageDraft("hi").hint == nil)
        #expect(!MessageDraft(" \n").canSend)
        let room = MessageText.room(beside: "")
        let scarce = MessageDraft(String(repeating: "a", count: room - 1))
        #expect(scarce.canSend && scarce.hint == "1 byte left")
        let full = MessageDraft(String(repeating: "a", count: room + 3))
        #expect(!full.canSend && full.isTooLong && full.hint == "Too long by 3 bytes")
    }

    @Test func `notifications of messages come now and then only`() {
        var notices = MessageNotices()
        let start = Instant(sinceStart: .seconds(10))
        let asked: [(ContactItem.ID, Double)] = [("a", 0), ("a", 2), ("b", 2), ("a", 3)]
        let first = asked.map { notices.admits($0, at: start + .seconds($1)) }
        #expect(first == [true, false, true, true])
        let others = (0..<20).count { notices.admits("c\($0)", at: start + .seconds(4)) }
        #expect(others == 7)
        let later = notices.admits("d", at: start + .seconds(35))
        #expect(later)
    }
}
