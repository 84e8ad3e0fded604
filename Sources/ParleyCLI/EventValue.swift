import Foundation

/// A value of an event in a JSON line: counts, versions and ports are numbers there, moments are seconds since 1970, yes and no are booleans.
enum EventValue: Equatable, Sendable {
    case string(String)
    case number(Int)
    case boolean(Bool)
    case array([EventValue])
    case object([String: EventValue])
}

extension EventValue {
    /// A moment.
    static func moment(_ date: Date) -> Self { .number(Int(date.timeIntervalSince1970)) }
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
