import TestSupport

extension FuzzSeeds {
    mutating func addRelayProtocol() throws {
        for (group, target) in [("commands", "command"), ("broker_messages", "broker-message")] {
            for vector in try Vectors.group(group).items {
                for encoding in vector["encodings"].items {
                    // The newest version of each form is enough.
                    guard let version = encoding["versions"].items.last?.integer, let bytes = encoding["hex"].bytes
                    else {
                        continue
                    }
                    add(target, [Self.byte(ofVersion: version)] + bytes)
                }
            }
        }
        for error in try Vectors.group("errors").items {
            add("broker-message", error["text"].string.map { [Self.byte(ofVersion: 17)] + Array("ERR \($0)".utf8) })
        }
        for vector in try Vectors.group("transmissions").items {
            guard let version = vector["version"].integer, [6, 9, 14, 16, 17].contains(version) else { continue }
            let prefix = [Self.byte(ofVersion: version)]
            add("transmission", vector["transmission"].bytes.map { prefix + $0 })
            add("batch", vector["batch_of_one"].bytes.map { prefix + $0 })
            let session: UInt8 = version < 14 ? 0 : version < 17 ? 1 : 2
            add("relay-payload", vector["batch_of_one"].bytes.map { [session] + $0 })
            guard ["PRXY", "PFWD"].contains(vector["command"].string) else { continue }
            add("relay-payload", vector["batch_of_one"].bytes.map { [session | 0x80] + $0 })
        }
        for vector in try Vectors.group("message_delivery").items {
            add("message-body", vector["body_before_encryption"].bytes)
        }
        add("message-body", try Vectors.group("notification_meta")[0]["meta"].bytes)
        for vector in try Vectors.group("proxy").items {
            guard let id = vector["corr_id_and_nonce"].bytes, let batch = vector["batch"].bytes else { continue }
            add("proxy-layers", [UInt8(id.count)] + id + [0, 8] + batch)
            add("proxy-layers", [UInt8(batch.count >> 8), UInt8(batch.count & 0xFF)] + batch)
        }
        add("proxied-response", [0x58] + Array(repeating: 7, count: 40))
        for request in [
            "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD /metrics?x HTTP/1.0\n\n",
            "POST /metrics HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", "GET /metrics HTTP/2\r\n\r\n", "GET  /metrics HTTP/1.1\r\n",
        ] { add("metrics-request", request) }
        for line in [
            "queues 20", "drain 60", "block 192.0.2.1 spam", "unblock 2001:db8::1",
            "block AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA content",
        ] { add("control-request", Array(line.utf8)) }
        for text in [
            "listen = [\"0.0.0.0:5223\", '[::]:5223'] # both\nhost = \"relay.example\"\nstate = \"/var/lib/parley\"\n",
            "in-memory = true\ncertificates = \"/etc/parley\"\nversions = \"9-14\"\nno-create = false\n",
            "quota = 64\nmessage-ttl = 3_600\nmemory = 0x200\nmax-stored = 2048\nlog-level = \"debug\"\n",
            "proxy = true\nproxy-local = false\nstun = 3478\nmetrics = \"127.0.0.1:9223\"\n", "stun = \"off\"",
            "quota = 1.5\n", "state = 2020-01-01T00:00:00Z\n", "host = \"\\u00e9\\\"\"\n", "listen = [\n\"a:1\",\n]",
            "max-connections = 1\nmax-connections-per-address = 1\ncreate-password = '/etc/parley/password'",
        ] { add("relay-settings", text) }
        for vector in try Vectors.group("server_uri").items {
            add("relay-address", vector["text"].string)
            add("relay-address", vector["binary"].bytes)
            add("relay-address", vector["legacy_binary"].bytes)
        }
    }

    mutating func addHellos() throws {
        for vector in try Vectors.group("handshake").items {
            add("server-hello", vector["server_hello_payload"].bytes)
            add("signed-key", vector["server_signed_session_key_der"].bytes)
            guard let hello = vector["client_hello_payload"].bytes else { continue }
            add("client-hello", hello)
            add("block", [UInt8(hello.count >> 8), UInt8(hello.count & 0xFF)] + hello)
            // That target puts the fingerprint of its own relay between.
            add("server-greeting", Array(hello.prefix(2) + hello.dropFirst(35)))
        }
        let credentials = try Vectors.group("server_credentials")
        for certificate in credentials["cert_chain_der"].items { add("certificate", certificate.bytes) }
        for algorithm in ["ed25519", "ed448", "x25519", "x448"] {
            let key = try Vectors.group("keys")[algorithm]
            add("key", key["public_spki_der"].bytes)
            add("key", key["private_pkcs8_der"].bytes)
            add("key", key["public_raw"].bytes)
            add("key", key["public_str"].string)
        }
        add(
            "pem",
            "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIEVat7PrwF7ofwFsuxV21jj18182j1f3nD90cLU2Qzeh\n-----END PRIVATE KEY-----\n"
        )
        add("pem", "-----BEGIN CERTIFICATE-----\nMIIBcTCC\nASOgAwIB\n-----END CERTIFICATE-----\n")
        for version in 0..<9 as Range<UInt8> {
            // A response to the first request, an event and something that is no block of the relay's.
            let id = [UInt8](repeating: 0, count: 24)
            let pong = [1, 0, 31, 0, 24] + id + [0] + Array("PONG".utf8)
            let end = [1, 0, 30, 0, 0, 24] + [UInt8](repeating: 5, count: 24) + Array("END".utf8)
            add("client-session", [version, 1, 0, UInt8(pong.count)] + pong + [0, UInt8(end.count)] + end)
        }
    }
}
