import Signaling

/// Reads fields with type and bounds. An absent field and `null` are the same.
struct JanusFields {
    /// The most bytes of a text where nothing else is said.
    static let maximumText = 1_024

    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    private func value(_ name: String) -> JSONValue? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    func optionalString(_ name: String, limit: Int = maximumText) throws(JanusMessage.Refusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, text.utf8.count <= limit else { throw .field(name) }
        return text
    }

    func string(_ name: String, limit: Int = maximumText) throws(JanusMessage.Refusal) -> String {
        guard let text = try optionalString(name, limit: limit) else { throw .field(name) }
        return text
    }

    func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws(JanusMessage.Refusal) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.integer, range.contains(number) else { throw .field(name) }
        return number
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(JanusMessage.Refusal) -> Int {
        guard let number = try optionalInteger(name, in: range) else { throw .field(name) }
        return number
    }

    /// The number of a session, a handle, a room or a feed.
    func optionalNumber(_ name: String) throws(JanusMessage.Refusal) -> Int? {
        try optionalInteger(name, in: 1...SFUNumber.highest)
    }

    func number(_ name: String) throws(JanusMessage.Refusal) -> SFUNumber {
        guard let number = try optionalNumber(name).flatMap({ SFUNumber($0) }) else { throw .field(name) }
        return number
    }

    func bool(_ name: String) throws(JanusMessage.Refusal) -> Bool {
        guard let bool = value(name)?.bool else { throw .field(name) }
        return bool
    }

    func optionalObject(_ name: String) throws(JanusMessage.Refusal) -> JanusFields? {
        guard let value = value(name) else { return nil }
        guard let object = value.object else { throw .field(name) }
        return JanusFields(object)
    }

    func optionalArray(_ name: String, limit: Int) throws(JanusMessage.Refusal) -> [JSONValue]? {
        guard let value = value(name) else { return nil }
        guard let array = value.array, array.count <= limit else { throw .field(name) }
        return array
    }
}
