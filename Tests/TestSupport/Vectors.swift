import Foundation

/// A value of a test vector file.
///
/// Subscripts answer `.null` for what is absent, so a test reads `vector["client"]["hello"].bytes`
/// and fails on the value it needs.
public enum VectorValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case string(String)
    case array([VectorValue])
    case object([String: VectorValue])

    public subscript(key: String) -> VectorValue {
        if case .object(let fields) = self { return fields[key] ?? .null }
        return .null
    }

    public subscript(index: Int) -> VectorValue {
        if case .array(let items) = self, items.indices.contains(index) { return items[index] }
        return .null
    }

    public var isNull: Bool { self == .null }
    public var items: [VectorValue] { if case .array(let items) = self { items } else { [] } }
    public var fields: [String: VectorValue] { if case .object(let fields) = self { fields } else { [:] } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The bytes of a hexadecimal string.
    public var bytes: [UInt8]? { string.flatMap { [UInt8](hexadecimal: $0) } }
}

/// The vector groups in `Tests/Vectors`, one JSON file a group.
public enum Vectors {
    /// The repository's root, found from this file.
    public static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Reads one group, for example `"handshake"`.
    public static func group(_ name: String) throws -> VectorValue {
        let file = repository.appendingPathComponent("Tests/Vectors/\(name).json")
        return VectorValue(try JSONSerialization.jsonObject(with: Data(contentsOf: file), options: .fragmentsAllowed))
    }
}

extension VectorValue {
    fileprivate init(_ value: Any) {
        switch value {
        case let value as NSNumber where isBoolean(value): self = .bool(value.boolValue)
        case let value as NSNumber: self = .integer(value.intValue)
        case let value as String: self = .string(value)
        case let value as [Any]: self = .array(value.map(VectorValue.init))
        case let value as [String: Any]: self = .object(value.mapValues(VectorValue.init))
        default: self = .null
        }
    }
}

private func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
}
