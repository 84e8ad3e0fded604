import Cryptography

/// Reading of fields with a type, for the decoders of this floor. An absent field and `null` are the same.
extension JSONObject {
    func value(_ name: String) throws(SignalingError) -> JSONValue {
        guard let value = self[name], value != .null else { throw .missingField(name) }
        return value
    }

    func string(_ name: String) throws(SignalingError) -> String {
        guard let string = try value(name).string else { throw .invalidField(name) }
        return string
    }

    func object(_ name: String) throws(SignalingError) -> JSONObject {
        guard let object = try value(name).object else { throw .invalidField(name) }
        return object
    }

    func bool(_ name: String) throws(SignalingError) -> Bool {
        guard let bool = try value(name).bool else { throw .invalidField(name) }
        return bool
    }

    /// The truth of an optional field; a value of another type is an error.
    func optionalBool(_ name: String) throws(SignalingError) -> Bool? {
        guard let value = self[name], value != .null else { return nil }
        guard let bool = value.bool else { throw .invalidField(name) }
        return bool
    }

    /// The string of an optional field; a value of another type is an error.
    func optionalString(_ name: String) throws(SignalingError) -> String? {
        guard let value = self[name], value != .null else { return nil }
        guard let string = value.string else { throw .invalidField(name) }
        return string
    }

    /// The object of an optional field; a value of another type is an error.
    func optionalObject(_ name: String) throws(SignalingError) -> JSONObject? {
        guard let value = self[name], value != .null else { return nil }
        guard let object = value.object else { throw .invalidField(name) }
        return object
    }

    /// The X25519 key of an optional field: base64url of its DER form (Calls fact sheet §3).
    func optionalKey(_ name: String) throws(SignalingError) -> X25519.PublicKey? {
        guard let text = try optionalString(name) else { return nil }
        do {
            return try X25519.PublicKey(der: try Base64URL.decode(text))
        } catch {
            throw .invalidField(name)
        }
    }

    /// The members whose names are not in the list.
    func members(except known: Set<String>) -> [Member] { members.filter { !known.contains($0.name) } }
}
