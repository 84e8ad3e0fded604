import TestSupport

@testable import AgentProtocol

extension FuzzSeeds {
    mutating func addLinks() throws {
        for group in ["connection_request", "connection_request_pq"] {
            for vector in try Vectors.group(group).items {
                add("link", vector["text"].string)
                add("connection-link", vector["binary"].bytes)
            }
        }
        let links = try Vectors.group("short_links")
        for text in links["urls"]["text"].items { add("link", text.string) }
        for (index, kind) in ["contact", "invitation"].enumerated() {
            guard let fixed = links[kind]["fixed_data_signed"].bytes, let user = links[kind]["user_data_signed"].bytes
            else { continue }
            // Behind length and signature.
            let (fixedData, userData) = (Array(fixed.dropFirst(65)), Array(user.dropFirst(65)))
            add("link-data", fixedData)
            add("link-data", userData)
            add(
                "link-data",
                [UInt8(index), UInt8(fixedData.count >> 8), UInt8(fixedData.count & 0xFF)] + fixedData + userData)
        }
        for vector in try Vectors.group("queue_uri").items {
            let isURI = vector["kind"].string == "uri"
            add(isURI ? "queue-uri" : "queue-info", vector["binary"].bytes)
            add("queue-uri", vector["text"].string)
        }
    }

    mutating func addAgentProtocol() throws {
        for vector in try Vectors.group("sender_envelope").items {
            add("queue-envelope", vector["client_message"].bytes)
            add("queue-envelope", vector["envelope"].bytes.map { Array($0.prefix(200)) })
        }
        let messages = try Vectors.group("agent_messages")
        for vector in messages["envelopes"].items { add("agent-envelope", vector["hex"].bytes) }
        for vector in messages["messages"].items { add("agent-message", vector["hex"].bytes) }

        var (sender, receiver) = try FuzzRatchets.pair()
        add("ratchet-state", sender.encoded)
        add("ratchet-state", receiver.encoded)
        let key = try sender.takeSendingKey()
        add("ratchet-state", key.encoded)
        add("ratchet-header", key.encryptedHeader)
        let letters = try (0..<3).map { try sender.encrypt([UInt8($0)], paddedTo: 8) }
        add("ratchet-header", letters.first)
        _ = try letters.last.map { try receiver.decrypt($0) }
        add("ratchet-state", receiver.encoded)
        for version in RatchetVersions.supported {
            let header = RatchetHeader(
                maximumVersion: 3, publicKey: FuzzRatchets.keys.first.publicKey, previousCount: 0, number: 2)
            add("ratchet-header", try header.encoded(version: version))
        }
    }
}
