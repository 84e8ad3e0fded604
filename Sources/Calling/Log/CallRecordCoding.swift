import Signaling

/// Why bytes are no record of a call.
public enum CallRecordError: Error, Sendable, Hashable {
    /// Written by a newer Parley: its version.
    case newerVersion(UInt8)
    /// Cut off, or a length that goes beyond the end.
    case truncated
    /// A part that every record has is not there.
    case missing(UInt8)
    /// A part that holds nothing of its kind.
    case invalid(UInt8)
}

// Layout: version (1), then parts: tag (1) · length (2, big-endian) · bytes. Whole numbers are 8 bytes, big-endian. Parts with tags
// that are not known are passed over, of those that come twice the last counts.
extension CallRecord {
    private static let version: UInt8 = 1
    /// The longest part, so that every one has a length.
    private static let partLimit = 4_096

    private enum Tag {
        static let callID: UInt8 = 1
        static let contact: UInt8 = 2
        static let name: UInt8 = 3
        static let direction: UInt8 = 4
        static let media: UInt8 = 5
        static let startedAt: UInt8 = 6
        static let answeredAt: UInt8 = 7
        static let endedAt: UInt8 = 8
        static let duration: UInt8 = 9
        static let result: UInt8 = 10
        static let reason: UInt8 = 11
        static let path: UInt8 = 12
        static let quality: UInt8 = 13
        static let roundTrip: UInt8 = 14
        static let data: UInt8 = 15
        static let frameEncryption: UInt8 = 16
        static let fingerprintVerified: UInt8 = 17
        /// Names of members, one below the other.
        static let members: UInt8 = 18
        /// Their contacts in the same order; an empty line for who is none.
        static let memberContacts: UInt8 = 19
        static let groupReason: UInt8 = 20
        /// The first of the steps of ``Setup``, in their order.
        static let setup: UInt8 = 32
    }

    private static var setupSteps: [WritableKeyPath<Setup, Int64?>] {
        [\.ringing, \.accepted, \.offer, \.answer, \.iceConnected, \.dtlsConnected, \.firstFrame]
    }

    /// The record in bytes. A name beyond 4 096 bytes is cut.
    public func encoded() -> [UInt8] {
        var parts = CallRecordParts(version: Self.version)
        parts.add(Tag.callID, callID.bytes)
        parts.add(Tag.contact, Array(contact.rawValue.utf8.prefix(Self.partLimit)))
        parts.add(Tag.name, Self.cut(name, to: Self.partLimit))
        parts.add(Tag.direction, [direction.code])
        parts.add(Tag.media, [media.code])
        parts.add(Tag.startedAt, numbers: [startedAt])
        if let answeredAt { parts.add(Tag.answeredAt, numbers: [answeredAt]) }
        if let endedAt { parts.add(Tag.endedAt, numbers: [endedAt]) }
        if let duration { parts.add(Tag.duration, numbers: [duration]) }
        parts.add(Tag.result, [result.rawValue])
        if let reason { parts.add(Tag.reason, Array(reason.rawValue.utf8)) }
        for (offset, step) in Self.setupSteps.enumerated() {
            if let time = setup[keyPath: step] { parts.add(Tag.setup + UInt8(offset), numbers: [time]) }
        }
        if let path { parts.add(Tag.path, [path.kind.rawValue, path.addressKind?.rawValue ?? 0]) }
        if let quality {
            parts.add(Tag.quality, numbers: [quality.lossSent, quality.lossReceived, quality.target, quality.renewals])
            if let roundTrip = quality.roundTrip { parts.add(Tag.roundTrip, numbers: [roundTrip]) }
        }
        if let data { parts.add(Tag.data, numbers: [data.sent, data.received]) }
        if let isFrameEncrypted { parts.add(Tag.frameEncryption, [isFrameEncrypted ? 1 : 0]) }
        if isFingerprintVerified { parts.add(Tag.fingerprintVerified, [1]) }
        if !members.isEmpty {
            let names = members.map { $0.name.replacing("\n", with: " ") }
            parts.add(Tag.members, Self.cut(names.joined(separator: "\n"), to: Self.partLimit))
            let contacts = members.map { $0.contact?.rawValue ?? "" }
            parts.add(Tag.memberContacts, Self.cut(contacts.joined(separator: "\n"), to: Self.partLimit))
        }
        if let groupReason { parts.add(Tag.groupReason, Array(groupReason.rawValue.utf8)) }
        return parts.bytes
    }

    /// Reads what ``encoded()`` wrote.
    /// - Throws: ``CallRecordError``.
    public init(decoding bytes: [UInt8]) throws(CallRecordError) {
        let parts = try CallRecordParts(decoding: bytes, version: Self.version)
        guard let callID = CallID(bytes: try parts.required(Tag.callID)) else { throw .invalid(Tag.callID) }
        guard let startedAt = try parts.numbers(Tag.startedAt, 1)?[0] else { throw .missing(Tag.startedAt) }
        self.init(
            callID: callID, contact: ContactID(rawValue: try parts.text(Tag.contact)), name: try parts.text(Tag.name),
            direction: try parts.value(Tag.direction, CallDirection.init(code:)),
            media: try parts.value(Tag.media, CallMedia.init(code:)),
            startedAt: startedAt, answeredAt: try parts.numbers(Tag.answeredAt, 1)?[0],
            endedAt: try parts.numbers(Tag.endedAt, 1)?[0], duration: try parts.numbers(Tag.duration, 1)?[0],
            result: try parts.value(Tag.result, CallResult.init(rawValue:)),
            reason: parts[Tag.reason].flatMap { CallEndReason(rawValue: String(decoding: $0, as: UTF8.self)) })
        for (offset, step) in Self.setupSteps.enumerated() {
            setup[keyPath: step] = try parts.numbers(Tag.setup + UInt8(offset), 1)?[0]
        }
        if let path = parts[Tag.path] {
            guard path.count == 2, let kind = Path.Kind(rawValue: path[0]) else { throw .invalid(Tag.path) }
            self.path = Path(kind, addressKind: Path.AddressKind(rawValue: path[1]))
        }
        if let figures = try parts.numbers(Tag.quality, 4) {
            quality = Quality(
                roundTrip: try parts.numbers(Tag.roundTrip, 1)?[0], lossSent: figures[0], lossReceived: figures[1],
                target: figures[2], renewals: figures[3])
        }
        if let amounts = try parts.numbers(Tag.data, 2) { data = DataUse(sent: amounts[0], received: amounts[1]) }
        isFrameEncrypted = parts[Tag.frameEncryption].map { $0 == [1] }
        isFingerprintVerified = parts[Tag.fingerprintVerified] == [1]
        let contacts = try parts.lines(Tag.memberContacts)
        for (index, name) in try parts.lines(Tag.members).enumerated() {
            let contact = contacts.indices.contains(index) && !contacts[index].isEmpty ? contacts[index] : nil
            members.append(Member(name: name, contact: contact.map { ContactID(rawValue: $0) }))
        }
        groupReason = parts[Tag.groupReason].flatMap {
            GroupCallEndReason(rawValue: String(decoding: $0, as: UTF8.self))
        }
    }

    /// The beginning of a text, whole characters only.
    fileprivate static func cut(_ text: String, to limit: Int) -> [UInt8] {
        guard text.utf8.count > limit else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for character in text {
            guard bytes.count + character.utf8.count <= limit else { break }
            bytes += character.utf8
        }
        return bytes
    }
}

/// Parts with tags, as they follow one another.
private struct CallRecordParts {
    private(set) var bytes: [UInt8]
    private var parts: [UInt8: [UInt8]] = [:]

    init(version: UInt8) { bytes = [version] }

    init(decoding bytes: [UInt8], version: UInt8) throws(CallRecordError) {
        self.bytes = bytes
        guard let found = bytes.first else { throw .truncated }
        guard found == version else { throw .newerVersion(found) }
        var index = 1
        while index < bytes.count {
            guard index + 3 <= bytes.count else { throw .truncated }
            let count = Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            guard index + 3 + count <= bytes.count else { throw .truncated }
            parts[bytes[index]] = Array(bytes[index + 3..<index + 3 + count])
            index += 3 + count
        }
    }

    mutating func add(_ tag: UInt8, _ part: [UInt8]) {
        bytes += [tag, UInt8(part.count >> 8), UInt8(part.count & 0xFF)] + part
    }

    mutating func add(_ tag: UInt8, numbers: [Int64]) { add(tag, numbers.flatMap(\.bigEndianBytes)) }

    subscript(tag: UInt8) -> [UInt8]? { parts[tag] }

    func required(_ tag: UInt8) throws(CallRecordError) -> [UInt8] {
        guard let part = parts[tag] else { throw .missing(tag) }
        return part
    }

    func text(_ tag: UInt8) throws(CallRecordError) -> String {
        guard let text = String(validating: try required(tag), as: UTF8.self) else { throw .invalid(tag) }
        return text
    }

    /// The lines of a text; none where there is no such part.
    func lines(_ tag: UInt8) throws(CallRecordError) -> [String] {
        self[tag] == nil ? [] : try text(tag).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// A part of one byte.
    func value<Value>(_ tag: UInt8, _ make: (UInt8) -> Value?) throws(CallRecordError) -> Value {
        let part = try required(tag)
        guard part.count == 1, let value = make(part[0]) else { throw .invalid(tag) }
        return value
    }

    /// A part of so many whole numbers.
    func numbers(_ tag: UInt8, _ count: Int) throws(CallRecordError) -> [Int64]? {
        guard let part = parts[tag] else { return nil }
        guard part.count == 8 * count else { throw .invalid(tag) }
        return stride(from: 0, to: part.count, by: 8).map { Int64(bigEndianBytes: part[$0..<$0 + 8]) }
    }
}

/// What of a record is looked through: who, when, what, and what became of it.
///
/// Layout: version (1) · direction (1) · media (1) · result (1) · start (8, big-endian) · count of the contact's bytes (2, big-endian) ·
/// contact · name. In version 2, for calls with further contacts, these stand before the name, one a line, with the count of their bytes
/// (2, big-endian) before them.
public struct CallRecordKey: Sendable, Hashable {
    private static let version: UInt8 = 1
    private static let versionOfSeveral: UInt8 = 2
    private static let headCount = 14
    /// More than any contact's identifier or name has.
    private static let textLimit = 1_024

    /// Who it was with.
    public var contact: ContactID
    /// Which further contacts a call of several was with.
    public var others: [ContactID]
    /// What the contact was called here then; of a call of several all names.
    public var name: String
    /// Who began it.
    public var direction: CallDirection
    /// What it carried.
    public var media: CallMedia
    /// What became of it.
    public var result: CallResult
    /// When it began, in seconds since 1970.
    public var startedAt: Int64

    /// Everybody it was with, as far as they were contacts.
    public var contacts: [ContactID] { [contact] + others }

    /// The key of a record.
    public init(_ record: CallRecord) {
        contact = record.contact
        others = Array(record.contacts.dropFirst())
        name = record.name
        direction = record.direction
        media = record.media
        result = record.result
        startedAt = record.startedAt
    }

    /// The key in bytes. What is beyond 1 024 bytes of a name is cut.
    public func encoded() -> [UInt8] {
        let contact = Array(contact.rawValue.utf8.prefix(Self.textLimit))
        let version = others.isEmpty ? Self.version : Self.versionOfSeveral
        var bytes = [version, direction.code, media.code, result.rawValue] + startedAt.bigEndianBytes
        bytes += Self.counted(contact)
        if !others.isEmpty {
            bytes += Self.counted(CallRecord.cut(others.map(\.rawValue).joined(separator: "\n"), to: Self.textLimit))
        }
        return bytes + CallRecord.cut(name, to: Self.textLimit)
    }

    /// Reads what ``encoded()`` wrote.
    /// - Throws: ``CallRecordError``.
    public init(decoding bytes: [UInt8]) throws(CallRecordError) {
        guard let version = bytes.first else { throw .truncated }
        guard version == Self.version || version == Self.versionOfSeveral else { throw .newerVersion(version) }
        guard bytes.count >= Self.headCount else { throw .truncated }
        guard let direction = CallDirection(code: bytes[1]) else { throw .invalid(1) }
        guard let media = CallMedia(code: bytes[2]) else { throw .invalid(2) }
        guard let result = CallResult(rawValue: bytes[3]) else { throw .invalid(3) }
        var rest = bytes[(Self.headCount - 2)...]
        contact = ContactID(rawValue: try Self.text(&rest))
        others = []
        if version == Self.versionOfSeveral {
            others = try Self.text(&rest).split(separator: "\n").map { ContactID(rawValue: String($0)) }
        }
        guard let name = String(validating: rest, as: UTF8.self) else { throw .invalid(4) }
        self.name = name
        (self.direction, self.media, self.result) = (direction, media, result)
        startedAt = Int64(bigEndianBytes: bytes[4..<12])
    }

    private static func counted(_ text: [UInt8]) -> [UInt8] {
        [UInt8(text.count >> 8), UInt8(text.count & 0xFF)] + text
    }

    /// Takes a text with the count of its bytes before it.
    private static func text(_ rest: inout ArraySlice<UInt8>) throws(CallRecordError) -> String {
        guard rest.count >= 2 else { throw .truncated }
        let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        rest = rest.dropFirst(2)
        guard rest.count >= count else { throw .truncated }
        guard let text = String(validating: rest.prefix(count), as: UTF8.self) else { throw .invalid(4) }
        rest = rest.dropFirst(count)
        return text
    }
}

extension Int64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }

    fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension CallDirection {
    fileprivate var code: UInt8 { self == .outgoing ? 1 : 2 }

    fileprivate init?(code: UInt8) {
        switch code {
        case 1: self = .outgoing
        case 2: self = .incoming
        default: return nil
        }
    }
}

extension CallMedia {
    fileprivate var code: UInt8 { self == .audio ? 1 : 2 }

    fileprivate init?(code: UInt8) {
        switch code {
        case 1: self = .audio
        case 2: self = .video
        default: return nil
        }
    }
}
