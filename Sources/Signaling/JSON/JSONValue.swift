/// A JSON value as it was read, with nothing converted that could be lost.
///
/// Reading and writing are done here rather than by a general coder because the values come from a peer: the depth is
/// bounded, numbers stay text until somebody asks for an integer, and members keep their order so that what this
/// program does not know is passed on unchanged.
public enum JSONValue: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as its text.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// How deeply arrays and objects may be nested. Chat messages need about eight levels.
    static let maximumDepth = 64

    /// Reads one document of UTF-8 text.
    /// - Throws: ``JSONError`` when the bytes are not exactly one JSON value.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.parseDocument()
    }

    /// The value as compact UTF-8 text, without spaces.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The text of ``encoded``.
    public var text: String { String(decoding: encoded, as: UTF8.self) }

    /// The string, if it is one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The truth value, if it is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, if it is a number that is one and fits.
    public var integer: Int? {
        if case .number(let value) = self { value.integer } else { nil }
    }

    /// The elements, if it is an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, if it is one.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// A number value.
    public static func integer(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}

/// A JSON number, kept as the text that stood in the document.
public struct JSONNumber: Sendable, Equatable {
    /// The number's text, valid by the grammar of RFC 8259 §6.
    public let text: String

    /// Takes text that a parser has already checked.
    init(validated text: String) { self.text = text }

    /// A whole number.
    public init(_ value: Int) { text = String(value) }

    /// The number as an integer, or nil when it has a fraction or is too large.
    public var integer: Int? {
        if let exact = Int(text) { return exact }
        guard text.utf8.count <= 40, let value = Double(text) else { return nil }
        return Int(exactly: value)
    }
}

/// A JSON object whose members keep their order.
public struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One name with its value.
    public struct Member: Sendable, Equatable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Pairs a name with a value.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// All members in their order.
    public var members: [Member]

    /// Makes an object of members in this order.
    public init(members: [Member] = []) { self.members = members }

    /// Makes an object of names and values in this order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member(name: $0.0, value: $0.1) }
    }

    /// The value of a name; the last one if the name occurs twice. Setting nil removes the name.
    public subscript(name: String) -> JSONValue? {
        get { members.last { $0.name == name }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.name == name } }
            if let index = members.lastIndex(where: { $0.name == name }) {
                members[index].value = newValue
            } else {
                members.append(Member(name: name, value: newValue))
            }
        }
    }
}
