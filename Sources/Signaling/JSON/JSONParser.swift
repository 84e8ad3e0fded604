/// A strict reader of one JSON document (RFC 8259).
///
/// It recurses at most ``JSONValue/maximumDepth`` deep and never looks outside of its bytes.
struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parseDocument() throws(JSONError) -> JSONValue {
        skipSpace()
        let value = try parseValue()
        skipSpace()
        guard index == bytes.count else { throw .trailingBytes(offset: index) }
        return value
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        guard let byte = current else { throw .unexpectedEnd }
        switch byte {
        case UInt8(ascii: "{"): return .object(try parseObject())
        case UInt8(ascii: "["): return .array(try parseArray())
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parse(word: "true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse(word: "false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse(word: "null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        default: throw .unexpectedByte(offset: index)
        }
    }

    private mutating func parse(word: String, as value: JSONValue) throws(JSONError) -> JSONValue {
        for expected in word.utf8 {
            guard let byte = current else { throw .unexpectedEnd }
            guard byte == expected else { throw .unexpectedByte(offset: index) }
            index += 1
        }
        return value
    }

    // MARK: Containers

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= JSONValue.maximumDepth else { throw .tooDeep }
        index += 1
        skipSpace()
    }

    private mutating func leave() {
        depth -= 1
        index += 1
    }

    private mutating func parseArray() throws(JSONError) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        if current == UInt8(ascii: "]") {
            leave()
            return elements
        }
        while true {
            elements.append(try parseValue())
            if try isLast(before: UInt8(ascii: "]")) { return elements }
        }
    }

    private mutating func parseObject() throws(JSONError) -> JSONObject {
        try enter()
        var object = JSONObject()
        if current == UInt8(ascii: "}") {
            leave()
            return object
        }
        while true {
            guard let quote = current else { throw .unexpectedEnd }
            guard quote == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: index) }
            let name = try parseString()
            skipSpace()
            guard let colon = current else { throw .unexpectedEnd }
            guard colon == UInt8(ascii: ":") else { throw .unexpectedByte(offset: index) }
            index += 1
            skipSpace()
            object.members.append(.init(name: name, value: try parseValue()))
            if try isLast(before: UInt8(ascii: "}")) { return object }
        }
    }

    /// Steps over the comma or the closing bracket after an element.
    private mutating func isLast(before bracket: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        guard let byte = current else { throw .unexpectedEnd }
        if byte == bracket {
            leave()
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw .unexpectedByte(offset: index) }
        index += 1
        skipSpace()
        return false
    }

    // MARK: Numbers

    private mutating func parseNumber() throws(JSONError) -> JSONNumber {
        let start = index
        if current == UInt8(ascii: "-") { index += 1 }
        if current == UInt8(ascii: "0") { index += 1 } else { try skipDigits(of: start) }
        if current == UInt8(ascii: ".") {
            index += 1
            try skipDigits(of: start)
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { index += 1 }
            try skipDigits(of: start)
        }
        if let byte = current, isDigit(byte) { throw .invalidNumber(offset: start) }
        return JSONNumber(validated: String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func skipDigits(of start: Int) throws(JSONError) {
        guard let first = current, isDigit(first) else { throw .invalidNumber(offset: start) }
        while let byte = current, isDigit(byte) { index += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    // MARK: Strings

    private mutating func parseString() throws(JSONError) -> String {
        let start = index
        index += 1
        var buffer: [UInt8] = []
        while let byte = current {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: buffer, as: UTF8.self) else {
                    throw .invalidString(offset: start)
                }
                return string
            case UInt8(ascii: "\\"): buffer.append(contentsOf: try parseEscape(in: start))
            case 0x00...0x1F: throw .invalidString(offset: start)
            default: buffer.append(byte)
            }
        }
        throw .unexpectedEnd
    }

    private mutating func parseEscape(in start: Int) throws(JSONError) -> [UInt8] {
        guard let byte = current else { throw .unexpectedEnd }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try parseScalar(in: start)
        default: throw .invalidString(offset: start)
        }
    }

    /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair, as UTF-8.
    private mutating func parseScalar(in start: Int) throws(JSONError) -> [UInt8] {
        let first = try parseHexadecimal(in: start)
        var value = first
        if first >= 0xD800 && first <= 0xDBFF {
            for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
                guard let byte = current else { throw .unexpectedEnd }
                guard byte == expected else { throw .invalidString(offset: start) }
                index += 1
            }
            let second = try parseHexadecimal(in: start)
            guard second >= 0xDC00 && second <= 0xDFFF else { throw .invalidString(offset: start) }
            value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw .invalidString(offset: start) }
        return Array(Character(scalar).utf8)
    }

    private mutating func parseHexadecimal(in start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw .unexpectedEnd }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw .invalidString(offset: start)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
