import Cryptography
import SMP

extension QueueURI {
    /// `smp://keyhash@hosts:port/senderId#/?v=…&dh=…` (Agent fact sheet §2.1).
    public var text: String {
        let relay = address.relay
        // Version 1 knows one host; the others follow where old readers do not look.
        let hidesHosts = versions.minimum < QueueVersions.withSeveralHosts
        let visible = hidesHosts ? Array(relay.hosts.prefix(1)) : relay.hosts
        let hidden = hidesHosts ? Array(relay.hosts.dropFirst()) : []
        var query = [("v", versions.text), ("dh", Base64URL.encode(key.derRepresentation))]
        switch mode {
        case .messaging:
            query.append(("q", "m"))
            if versions.minimum < QueueVersions.withQueueMode { query.append(("k", "s")) }
        case .contact: query.append(("q", "c"))
        case nil: break
        }
        if !hidden.isEmpty { query.append(("srv", hidden.joined(separator: ","))) }
        // Some hosts of a valid address are a valid address.
        let authority = (try? RelayAddress(hosts: visible, port: relay.port, keyHash: relay.keyHash)) ?? relay
        return "\(authority.text)/\(Base64URL.encode(address.senderID.bytes))#/?\(QueryString.encode(query))"
    }

    /// Reads the text form, the old one with nothing but a key after `#` included.
    ///
    /// - Throws: `AgentDecodingError`.
    public init(parsing text: some StringProtocol) throws(AgentDecodingError) {
        // As in links, so that the time for reading it grows with its length only.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .malformed }
        do {
            guard let hash = text.firstIndex(of: "#"),
                let slash = text[..<hash].lastIndex(where: { $0 != "/" }).flatMap({ text[...$0].lastIndex(of: "/") })
            else { throw AgentDecodingError.malformed }
            let senderID = String(text[text.index(after: slash)..<hash].filter { $0 != "/" })
            let relay = try RelayAddress(parsing: String(text[..<slash]))
            let fields = try Fields(fragment: text[text.index(after: hash)...])
            guard relay.password == nil else { throw AgentDecodingError.malformed }
            self.init(
                versions: fields.versions,
                address: QueueAddress(
                    relay: try RelayAddress(
                        hosts: relay.hosts + fields.hiddenHosts, port: relay.port, keyHash: relay.keyHash),
                    senderID: EntityID(try Base64URL.decode(senderID))),
                key: fields.key, mode: fields.mode)
        } catch let error as AgentDecodingError {
            throw error
        } catch {
            throw .malformed
        }
    }

    /// What follows `#`.
    private struct Fields {
        var versions = VersionRange(minimum: 1, maximum: 1)
        var key: X25519.PublicKey
        var mode: QueueMode?
        var hiddenHosts: [String] = []

        init(fragment: some StringProtocol) throws {
            let fragment = fragment.hasPrefix("/") ? String(fragment.dropFirst()) : String(fragment)
            guard fragment.hasPrefix("?") else {
                key = try X25519.PublicKey(der: Base64URL.decode(fragment))
                return
            }
            let query = try QueryString(decoding: fragment.dropFirst())
            versions = try VersionRange(parsing: query.required("v"))
            key = try X25519.PublicKey(der: Base64URL.decode(query.required("dh")))
            switch query["q"] {
            case "m": mode = .messaging
            case "c": mode = .contact
            default: mode = query["k"] == "s" ? .messaging : nil
            }
            hiddenHosts = query["srv"].map { $0.split(separator: ",").map(String.init) } ?? []
        }
    }
}
