import Foundation
import TestSupport
import Testing

@testable import Parley

/// Lists of relays that a distribution may install.
@Suite(.timeLimit(.minutes(5))) struct OfferedRelaysTests {
    private static let fingerprint = String(repeating: "A", count: 43) + "="

    private func list(_ change: (inout [String: Any]) -> Void = { _ in }, form: Int = 1) throws -> [UInt8] {
        var entry: [String: Any] = [
            "operator": "Example Club", "address": "smp://\(Self.fingerprint)@relay.example.org",
            "conditions": "https://example.org/conditions", "sees": "Addresses and times, kept for a week.",
        ]
        change(&entry)
        return [UInt8](try JSONSerialization.data(withJSONObject: ["form": form, "relays": [entry]]))
    }

    private func error(_ bytes: [UInt8]) -> OfferedRelaysError? {
        do throws(OfferedRelaysError) {
            _ = try [OfferedRelay](decoding: bytes)
            return nil
        } catch { return error }
    }

    @Test func `an entry says who runs a relay, where it is, and on which conditions`() throws {
        let relay = try #require(try [OfferedRelay](decoding: list()).first)
        #expect(relay.operatorName == "Example Club" && relay.address.hasSuffix("@relay.example.org"))
        #expect(relay.conditions.absoluteString == "https://example.org/conditions")
        #expect(relay.sees == "Addresses and times, kept for a week.")
        #expect(try [OfferedRelay](decoding: list { $0["sees"] = nil }).first?.sees == nil)
    }

    @Test func `an entry may say that the relay finds addresses`() throws {
        #expect(try [OfferedRelay](decoding: list()).first?.findsAddresses == false)
        #expect(try [OfferedRelay](decoding: list { $0["findsAddresses"] = true }).first?.findsAddresses == true)
    }

    @Test func `what can't be used is named by its place in the list`() throws {
        let long = String(repeating: "x", count: 600)
        let cases: [(String, String)] = [
            ("operator", ""), ("operator", long), ("address", "relay.example.org"),
            ("address", "smp://\(Self.fingerprint):secret@relay.example.org"),
            ("address", "smp://\(Self.fingerprint)@127.0.0.1"),
            ("address", "smp://\(Self.fingerprint)@desk.local"), ("conditions", "http://example.org"),
            ("conditions", "javascript:alert(1)"), ("conditions", "https://"), ("sees", long), ("sees", "\u{202E}"),
        ]
        for (part, value) in cases {
            #expect(try error(list { $0[part] = value }) == .entry(1, part: part), "\(part) \(value.prefix(40))")
        }
    }

    @Test func `what is no list is refused`() throws {
        for text in ["", "{}", "[]", "{\"form\":1}", "{\"form\":\"1\",\"relays\":[]}", "{\"form\":0,\"relays\":[]}"] {
            #expect(error(Array(text.utf8)) == .malformed, "\(text)")
        }
        #expect(try error(list(form: 2)) == .newer(2))
        #expect(error([UInt8](repeating: 32, count: OfferedRelays.maximumBytes + 1)) == .tooLong)
        let entry: [String: Any] = [
            "operator": "A", "address": "smp://\(Self.fingerprint)@a.example.org",
            "conditions": "https://a.example.org",
        ]
        let many = try JSONSerialization.data(
            withJSONObject: ["form": 1, "relays": [[String: Any]](repeating: entry, count: 65)] as [String: Any])
        #expect(error([UInt8](many)) == .tooLong)
        let twice = try JSONSerialization.data(withJSONObject: ["form": 1, "relays": [entry, entry]] as [String: Any])
        #expect(error([UInt8](twice)) == .malformed)
    }

    @Test func `the first list that is there counts, and without one there is none`() throws {
        let folder = try TemporaryFolder()
        #expect(try OfferedRelays.read([folder.file("none")]) == [])
        try Data(list()).write(to: URL(filePath: folder.file("one")))
        #expect(try OfferedRelays.read([folder.file("none"), folder.file("one")]).count == 1)
        let paths = OfferedRelays.paths(environment: ["XDG_DATA_DIRS": "/opt/share:relative:/usr/share"])
        #expect(paths == ["/etc/parley/relays.json", "/opt/share/parley/relays.json", "/usr/share/parley/relays.json"])
    }

    @Test func `the list that Parley comes with is empty`() throws {
        let file = Vectors.repository.appendingPathComponent("data/relays.json")
        #expect(try [OfferedRelay](decoding: [UInt8](Data(contentsOf: file))) == [])
    }

    @Test func `10,000 damaged lists are read or refused`() throws {
        var generator = SeededGenerator(seed: 9)
        let original = try list()
        for _ in 0..<10_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = generator.bytes(1)[0]
            }
            _ = error(bytes)
        }
    }
}
