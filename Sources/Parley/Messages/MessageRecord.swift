import Calling
import Foundation

/// Why bytes are no record of a message.
enum MessageRecordError: Error, Equatable, Sendable {
    /// Written by a newer Parley: its version.
    case newerVersion(UInt8)
    /// Cut off, too long, or not what stands there.
    case damaged
}

/// What all messages are looked through by: the small part of a record, which never changes.
///
/// Layout: version (1) · flags (1: written here) · number at the agent (8) · seconds to keep (8) · contact and identifier, each with its
/// length (1). Whole numbers are big-endian; 0 seconds are no limit.
struct MessageKey: Sendable, Hashable {
    /// The longest identifier by which a contact can change a message later; a longer one is not kept.
    static let maximumIdentifier = 128
    private static let version: UInt8 = 1

    let contact: ContactID
    let isOwn: Bool
    /// The agent's number of a message written here; 0 for others.
    let message: Int64
    /// What the writer calls it; empty when that is not known.
    let identifier: String
    /// For how many seconds it may be kept once it has been read; 0 when there is no limit.
    let timeToLive: Int64

    init(contact: ContactID, isOwn: Bool, message: Int64 = 0, identifier: String = "", timeToLive: Int64 = 0) {
        self.contact = contact
        self.isOwn = isOwn
        self.message = message
        self.identifier = identifier.utf8.count <= Self.maximumIdentifier ? identifier : ""
        self.timeToLive = timeToLive
    }

    func encoded() -> [UInt8] {
        var bytes: [UInt8] = [Self.version, isOwn ? 1 : 0]
        for number in [message, timeToLive] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        for text in [contact.rawValue, identifier] {
            let part = Array(text.utf8.prefix(255))
            bytes += [UInt8(part.count)] + part
        }
        return bytes
    }

    /// Reads what `encoded()` wrote.
    init(decoding bytes: [UInt8]) throws(MessageRecordError) {
        guard let version = bytes.first else { throw .damaged }
        guard version == Self.version else { throw version > Self.version ? .newerVersion(version) : .damaged }
        var rest = bytes.dropFirst()
        guard let flags = rest.popFirst(), flags <= 1 else { throw .damaged }
        let (message, timeToLive) = (try Self.number(&rest), try Self.number(&rest))
        let (contact, identifier) = (try Self.text(&rest), try Self.text(&rest))
        guard rest.isEmpty, timeToLive >= 0, identifier.utf8.count <= Self.maximumIdentifier else { throw .damaged }
        self.init(
            contact: ContactID(rawValue: contact), isOwn: flags == 1, message: message, identifier: identifier,
            timeToLive: timeToLive)
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) throws(MessageRecordError) -> Int64 {
        guard bytes.count >= 8 else { throw .damaged }
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func text(_ bytes: inout ArraySlice<UInt8>) throws(MessageRecordError) -> String {
        guard let count = bytes.popFirst(), bytes.count >= count else { throw .damaged }
        defer { bytes = bytes.dropFirst(Int(count)) }
        guard let text = String(validating: bytes.prefix(Int(count)), as: UTF8.self) else { throw .damaged }
        return text
    }
}

/// A message as a whole: the part of a record that changes with what becomes of it.
struct MessageRecord: Sendable, Hashable, Codable {
    var text: String
    var sentAt: Int64
    var arrivedAt: Int64
    var state: TextMessage.State?
    var attachment: Attachment?
    var isEdited: Bool?
    var isDeleted: Bool?
    var isForwarded: Bool?
    var expiresAt: Int64?

    struct Attachment: Sendable, Hashable, Codable {
        var kind: String
        var seconds: Int?
        var name: String?
        var size: Int?
    }

    init(text: String, sentAt: Int64, arrivedAt: Int64) {
        self.text = text
        self.sentAt = sentAt
        self.arrivedAt = arrivedAt
    }

    /// Reads what `encoded()` wrote.
    init(decoding bytes: [UInt8]) throws(MessageRecordError) {
        do { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) } catch { throw .damaged }
    }

    func encoded() -> [UInt8] { (try? JSONEncoder().encode(self)).map { [UInt8]($0) } ?? [] }

    /// The message, as people know it.
    func message(_ number: Int64, _ key: MessageKey) -> TextMessage {
        var message = TextMessage(
            id: number, contact: key.contact, state: key.isOwn ? state ?? .sent : nil, text: text,
            attachment: attachment.map(TextMessage.Attachment.init), sentAt: sentAt, arrivedAt: arrivedAt)
        message.isEdited = isEdited ?? false
        message.isDeleted = isDeleted ?? false
        message.isForwarded = isForwarded ?? false
        message.expiresAt = expiresAt
        return message
    }
}

extension TextMessage.Attachment {
    fileprivate init(_ record: MessageRecord.Attachment) {
        self =
            switch record.kind {
            case "picture": .picture
            case "video": .video(seconds: record.seconds)
            case "voice": .voice(seconds: record.seconds)
            case "file": record.name.map { .file(name: $0, size: record.size ?? 0) } ?? .unnamedFile
            default: .other
            }
    }
}

extension MessageRecord.Attachment {
    init(_ attachment: TextMessage.Attachment) {
        switch attachment {
        case .picture: self.init(kind: "picture")
        case .video(let seconds): self.init(kind: "video", seconds: seconds)
        case .voice(let seconds): self.init(kind: "voice", seconds: seconds)
        case .file(let name, let size): self.init(kind: "file", name: name, size: size)
        case .unnamedFile: self.init(kind: "file")
        case .other: self.init(kind: "other")
        }
    }
}
