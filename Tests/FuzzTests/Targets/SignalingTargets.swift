@testable import Signaling

extension FuzzTarget {
    /// Chat messages and what calls put into them.
    static let signaling: [FuzzTarget] = [
        FuzzTarget(name: "json", run: json),
        FuzzTarget(name: "chat-body", run: chatBody),
        FuzzTarget(name: "lz-string", run: lzString),
        FuzzTarget(name: "packed-session", run: packedSession),
        FuzzTarget(name: "zstandard", run: zstandard),
        FuzzTarget(name: "profile-picture", run: profilePicture),
        FuzzTarget(name: "group-message", run: groupMessage),
    ]

    private static func json(_ input: [UInt8]) throws {
        try roundTrip(input, "a JSON text", read: JSONValue.init(parsing:), write: \.encoded)
        if let value = try? JSONValue(parsing: input) { visit(value) }
    }

    /// A file, and a data URI.
    private static func profilePicture(_ input: [UInt8]) throws {
        try roundTrip(input, "a picture", normalises: true, read: ProfilePicture.init(decoding:), write: \.bytes)
        try roundTrip(
            String(decoding: input, as: UTF8.self), "a picture's text", normalises: true,
            read: ProfilePicture.init(parsing:), write: \.text)
        guard let picture = try? ProfilePicture(decoding: input) else { return }
        let range = 1...ProfilePicture.maximumSide
        try require(range.contains(picture.width) && range.contains(picture.height), "a picture is too large")
        try require(picture.bytes.count <= input.count, "a picture has grown")
        try require((try? ProfilePicture(parsing: picture.text)) == picture, "a picture is another one as text")
    }

    private static func visit(_ value: JSONValue) {
        _ = value.integer
        for element in value.array ?? [] { visit(element) }
        for member in value.object?.members ?? [] { visit(member.value) }
    }

    private static func chatBody(_ input: [UInt8]) throws {
        _ = try? ChatMessage(connectionInformation: input)
        guard let body = try? ChatBody(decoding: input) else { return }
        for message in body.messages {
            let written = message.json.encoded
            let again = try mustSucceed("a chat message is written and can't be read") {
                try ChatMessage(json: try JSONValue(parsing: written))
            }
            try require(again == message, "a chat message is another one after writing and reading")
        }
        for error in body.refused { _ = "\(error)" }
    }

    /// The word of an event, a line feed and its parameters.
    private static func groupMessage(_ input: [UInt8]) throws {
        let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let parameters = (try? JSONValue(parsing: Array(parts[1])))?.object else { return }
        let name = GroupEvent.prefix + String(decoding: parts[0], as: UTF8.self)
        guard let (id, message) = try? GroupEvent.read(name, parameters) else { return }
        try require(GroupEvent.name(of: message) == name, "a message is of another event")
        try roundTrip(GroupEvent.parameters(id, message), "a message of a group call") {
            guard let (id, message) = try GroupEvent.read(name, $0) else { throw SignalingError.invalidField("event") }
            return ChatEvent.group(id, message)
        } write: {
            $0.parameters.object ?? [:]
        }
        _ = "\(message)"
    }

    private static func zstandard(_ input: [UInt8]) throws {
        let limit = 4_096
        if let content = try? Zstandard.decompress(input, limit: limit) {
            try require(content.count <= limit, "a content is longer than its limit")
        }
        let frame = try mustSucceed("bytes can't be compressed") { () throws -> [UInt8] in
            guard let frame = Zstandard.compress(input) else { throw SignalingError.malformedCompression }
            return frame
        }
        try require(
            (try? Zstandard.decompress(frame, limit: input.count)) == input, "a content is another one after unpacking")
    }

    private static func lzString(_ input: [UInt8]) throws {
        let limit = 4_096
        if let units = try? LZString.decompressUnits(String(decoding: input, as: UTF8.self), limit: limit) {
            try require(units.count <= limit, "a text is longer than its limit")
        }
        let units = stride(from: 0, to: input.count - 1, by: 2).map { UInt16(input[$0]) << 8 | UInt16(input[$0 + 1]) }
        try require(
            (try? LZString.decompressUnits(LZString.compressToBase64(units: units))) == units,
            "a packed text unpacks to another one")
    }

    /// A session description or a list of candidates, packed as a peer would.
    private static func packedSession(_ input: [UInt8]) throws {
        let packed = LZString.compressToBase64(String(decoding: input, as: UTF8.self))
        for kind in [SessionDescription.Kind.offer, .answer] {
            try roundTrip(packed, "a packed description") {
                try PackedSession.description($0, of: kind)
            } write: {
                PackedSession.pack($0)
            }
        }
        guard let candidates = try? PackedSession.candidates(packed) else { return }
        try require(candidates.count <= ICECandidate.maximumCount, "there are too many candidates")
        try require(
            (try? PackedSession.candidates(PackedSession.pack(candidates))) == candidates,
            "candidates are others after packing")
    }
}
