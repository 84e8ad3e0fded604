import Foundation
import Parley
import Wording

/// The rows of a list of messages: the heading of each day, and the messages of it below.
enum MessageRow: Equatable {
    /// The heading of a day, in words.
    case day(String)
    case message(MessagePresentation)

    /// The rows of messages, oldest first.
    static func rows(
        _ messages: [TextMessage], with name: String, now: Date = Date(), calendar: Calendar = .current
    ) -> [MessageRow] {
        var rows: [MessageRow] = []
        var day: Date?
        for message in messages {
            let date = Date(timeIntervalSince1970: TimeInterval(message.sentAt))
            let start = calendar.startOfDay(for: date)
            if start != day {
                rows.append(.day(CallLogPresentation.heading(start, now: now, calendar: calendar)))
                day = start
            }
            rows.append(.message(MessagePresentation(message, with: name, zone: calendar.timeZone)))
        }
        return rows
    }
}

/// What the row of a message says.
struct MessagePresentation: Equatable {
    let isOwn: Bool
    /// What it says; nil when there is nothing but an attachment.
    let text: String?
    /// What came with it; also said in place of a message that was taken back.
    let attachment: String?
    /// When, and what became of it.
    let detail: String
    /// Whether it will never arrive.
    let isFailed: Bool
    /// What a screen reader says of it as a whole.
    let sentence: String

    /// Works it out.
    init(_ message: TextMessage, with name: String, zone: TimeZone = .current) {
        isOwn = message.isOwn
        text = message.isDeleted || message.text.isEmpty ? nil : message.text
        attachment = message.isDeleted ? message.words : message.attachment?.sentence
        isFailed = message.state == .failed
        let formatter = DateFormatter()
        formatter.locale = Translation.locale
        formatter.timeZone = zone
        formatter.dateStyle = .none
        formatter.timeStyle = .short
        let time = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(message.sentAt)))
        let notes = [
            message.isForwarded ? tr("Forwarded") : nil, message.isEdited && !message.isDeleted ? tr("Edited") : nil,
            message.expiresAt != nil ? tr("Will be deleted") : nil, message.state?.sentence,
        ]
        detail = ([time] + notes.compactMap(\.self)).joined(separator: " · ")
        sentence = tr("%1$s: %2$s", message.isOwn ? tr("You") : name, message.words) + " (" + detail + ")"
    }
}

/// What stands below the entry while a message is written.
struct MessageDraft: Equatable {
    /// How much room is left when the person is told of it, in bytes.
    private static let scarce = 500

    /// Whether it can be sent.
    let canSend: Bool
    /// How much room there is, when that is not much.
    let hint: String?
    /// Whether it is too long.
    let isTooLong: Bool

    /// Looks at a text.
    init(_ text: String) {
        let room = MessageText.room(beside: text)
        isTooLong = room < 0
        canSend = !isTooLong && text.contains { !$0.isWhitespace }
        hint =
            isTooLong
            ? tr("Too long by %s byte", plural: "Too long by %s bytes", count: -room, -room)
            : room < Self.scarce ? tr("%s byte left", plural: "%s bytes left", count: room, room) : nil
    }
}

/// Sentences to decline a call with.
enum QuickReply: CaseIterable {
    case callBack, callLater, comingSoon

    /// What is written to the caller.
    var sentence: String {
        switch self {
        case .callBack: tr("I can’t talk now. I’ll call you back.")
        case .callLater: tr("I can’t talk now. Please call me later.")
        case .comingSoon: tr("I’m on my way.")
        }
    }
}
