/// Writes compact JSON the way `JSON.stringify` of the web platform does: no spaces, only the escapes that are needed.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let number): append(number.text)
        case .string(let string): write(string)
        case .array(let elements):
            append("[")
            for (position, element) in elements.enumerated() {
                if position > 0 { append(",") }
                write(element)
            }
            append("]")
        case .object(let object):
            append("{")
            for (position, member) in object.members.enumerated() {
                if position > 0 { append(",") }
                write(member.name)
                append(":")
                write(member.value)
            }
            append("}")
        }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(_ string: String) {
        append("\"")
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case 0x00...0x1F:
                append(byte < 0x10 ? "\\u000" : "\\u00")
                append(String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        append("\"")
    }
}
