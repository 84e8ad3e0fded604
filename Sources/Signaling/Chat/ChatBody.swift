/// The body of an agent message: one chat message or several (Calls fact sheet §1, table of first bytes).
public struct ChatBody: Sendable, Equatable {
    /// The messages that could be read, in their order.
    public private(set) var messages: [ChatMessage] = []
    /// Why other messages of the same batch could not.
    public private(set) var refused: [SignalingError] = []

    /// Reads a body.
    ///
    /// One bad message in a batch does not harm the others; a body that is nothing but one bad message throws.
    /// - Throws: ``SignalingError``.
    public init(decoding bytes: [UInt8]) throws(SignalingError) {
        guard bytes.count <= ChatMessage.maximumReceived else {
            throw .tooLarge(count: bytes.count, limit: ChatMessage.maximumReceived)
        }
        guard let first = bytes.first else { throw .emptyBody }
        if first == UInt8(ascii: "X") {
            try readItems(of: bytes.dropFirst())
        } else {
            try readPlain(bytes)
        }
        if messages.isEmpty, let error = refused.first { throw error }
    }

    /// A body behind `X`, as one zstd frame; nil for what no reader would take.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= ChatMessage.maximumReceived, let frame = Zstandard.compress(bytes),
            let length = UInt16(exactly: frame.count)
        else { return nil }
        return [UInt8(ascii: "X"), 1, UInt8(ascii: "1"), UInt8(length >> 8), UInt8(length & 0xFF)] + frame
    }

    private mutating func readPlain(_ bytes: [UInt8]) throws(SignalingError) {
        switch bytes.first {
        case UInt8(ascii: "{"): messages.append(try ChatMessage(json: try Self.parse(bytes)))
        case UInt8(ascii: "["):
            for element in try Self.parse(bytes).array ?? [] {
                do throws(SignalingError) {
                    messages.append(try ChatMessage(json: element))
                } catch {
                    refused.append(error)
                }
            }
        case UInt8(ascii: "X"): throw .malformedCompression
        case UInt8(ascii: "="): throw .unsupportedBody(.binaryBatch)
        case UInt8(ascii: "F"): throw .unsupportedBody(.fileChunk)
        case .some(let byte): throw .unknownBody(firstByte: byte)
        case .none: throw .emptyBody
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(SignalingError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw .invalidJSON(error)
        }
    }

    /// The items behind `X`: a count, then each either raw (`0`, one byte of length) or a zstd frame (`1`, two bytes).
    /// All of them together may not grow to more than one body may be long.
    private mutating func readItems(of bytes: ArraySlice<UInt8>) throws(SignalingError) {
        var rest = bytes
        guard let count = rest.popFirst(), count > 0 else { throw .malformedCompression }
        var room = ChatMessage.maximumReceived
        for _ in 0..<count {
            guard let kind = rest.popFirst() else { throw .malformedCompression }
            let length: Int
            switch kind {
            case UInt8(ascii: "0"):
                guard let byte = rest.popFirst() else { throw .malformedCompression }
                length = Int(byte)
            case UInt8(ascii: "1"):
                guard let high = rest.popFirst(), let low = rest.popFirst() else { throw .malformedCompression }
                length = Int(high) << 8 | Int(low)
            default: throw .malformedCompression
            }
            guard rest.count >= length else { throw .malformedCompression }
            let item = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            do throws(SignalingError) {
                let plain = kind == UInt8(ascii: "0") ? item : try Zstandard.decompress(item, limit: room)
                room = max(0, room - plain.count)
                try readPlain(plain)
            } catch {
                refused.append(error)
            }
        }
        guard rest.isEmpty else { throw .malformedCompression }
    }
}
