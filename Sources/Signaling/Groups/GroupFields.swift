import Cryptography

/// Reading of fields with bounds, for the messages of group calls.
extension JSONObject {
    /// A text of at most so many bytes of UTF-8.
    func boundedString(_ name: String, limit: Int) throws(SignalingError) -> String {
        let text = try string(name)
        guard text.utf8.count <= limit else { throw .fieldTooLong(name, limit: limit) }
        return text
    }

    /// An array of at most so many elements; absent, it is empty.
    func boundedArray(_ name: String, limit: Int) throws(SignalingError) -> [JSONValue] {
        guard let value = self[name], value != .null else { return [] }
        guard let array = value.array else { throw .invalidField(name) }
        guard array.count <= limit else { throw .fieldTooMany(name, limit: limit) }
        return array
    }

    /// A whole number within a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(SignalingError) -> Int {
        guard let number = try value(name).integer, range.contains(number) else { throw .invalidField(name) }
        return number
    }

    /// What is so or not; absent, it is not.
    func flag(_ name: String) throws(SignalingError) -> Bool {
        guard let value = self[name], value != .null else { return false }
        return try bool(name)
    }

    /// One of the words of an enum.
    func word<Word: RawRepresentable<String>>(_ name: String, _ type: Word.Type) throws(SignalingError) -> Word {
        guard let word = Word(rawValue: try string(name)) else { throw .invalidField(name) }
        return word
    }

    /// Exactly so many bytes in base64url, padded or not.
    func secret(_ name: String, count: Int) throws(SignalingError) -> SecretBytes {
        guard let secret = GroupSecret.decode(try boundedString(name, limit: count * 2), count: count) else {
            throw .invalidField(name)
        }
        return secret
    }
}

enum GroupSecret {
    /// The bytes of base64url; nil unless they are so many.
    static func decode(_ text: String, count: Int) -> SecretBytes? {
        guard let bytes = try? Base64URL.decode(text), bytes.count == count else { return nil }
        return SecretBytes(bytes)
    }

    static func json(_ secret: SecretBytes) -> JSONValue { .string(Base64URL.encode(secret.bytes)) }
}
