import Cryptography

extension RatchetOffer {
    /// `v=…&x3dh=key,key[&kem_key=…][&kem_ct=…]`, before it is percent-encoded as a whole.
    var text: String {
        let keys = [firstKey, secondKey].map { Base64URL.encode($0.derRepresentation) }.joined(separator: ",")
        let base = "v=\(versions.text)&x3dh=\(keys)"
        switch kem {
        case .proposed(let key): return base + "&kem_key=\(Base64URL.encode(key))"
        case .accepted(let ciphertext, let key):
            return base + "&kem_ct=\(Base64URL.encode(ciphertext))&kem_key=\(Base64URL.encode(key))"
        case nil: return base
        }
    }

    init(parsing text: String) throws(AgentDecodingError) {
        do {
            let query = try QueryString(decoding: text)
            let keys = try query.required("x3dh").split(separator: ",", omittingEmptySubsequences: false)
            guard keys.count == 2 else { throw AgentDecodingError.malformed }
            self.init(
                versions: try VersionRange(parsing: query.required("v")),
                firstKey: try .init(der: Base64URL.decode(keys[0])),
                secondKey: try .init(der: Base64URL.decode(keys[1])),
                kem: try Self.kem(key: query["kem_key"], ciphertext: query["kem_ct"]))
        } catch let error as AgentDecodingError {
            throw error
        } catch {
            throw .malformed
        }
    }

    private static func kem(key: String?, ciphertext: String?) throws -> KEMParameters? {
        guard let key = try key.map({ try Base64URL.decode($0) }) else { return nil }
        guard key.count == KEMParameters.keyCount else { throw AgentDecodingError.malformed }
        guard let ciphertext = try ciphertext.map({ try Base64URL.decode($0) }) else { return .proposed(key: key) }
        guard ciphertext.count == KEMParameters.ciphertextCount else { throw AgentDecodingError.malformed }
        return .accepted(ciphertext: ciphertext, key: key)
    }
}
