/// A value of an event in a JSON line: counts, versions and ports are numbers there, yes and no are booleans.
enum EventValue: Equatable, Sendable {
    case string(String)
    case number(Int)
    case boolean(Bool)
    case array([EventValue])
    case object([String: EventValue])
}

extension EventValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

extension EventValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .string(value) }
}
