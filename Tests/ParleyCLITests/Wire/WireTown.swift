import Foundation
import NetworkEmulation
import TestSupport
import Testing

/// Two machines and a link whose packets are seen: on the first one profile, on the second another one, a relay for messages
/// and a TURN server, each at an address of its own.
///
/// Every process is the real program; nothing of them is faked.
final class WireTown: Sendable {
    let folder: TemporaryFolder
    let emulator: NetworkEmulator
    let tap = PacketTap()
    let relay: String
    /// Where the relay for messages and the TURN server are.
    let relayAddress: String
    let turnAddress: String
    private static let relayPort: UInt16 = 5_223
    private let server: ChildProcess

    /// Makes the two machines; with IPv6 alone if so wanted, else with both.
    init(onlyIPv6: Bool = false) async throws {
        folder = try TemporaryFolder()
        emulator = try NetworkEmulator()
        relayAddress = onlyIPv6 ? "fd89::4" : "10.89.0.4"
        turnAddress = onlyIPv6 ? "fd89::3" : "10.89.0.3"
        let device = "dev $(ip -br link | grep -o '^pl[^ @]*')"
        for address in [relayAddress, turnAddress] {
            let words = onlyIPv6 ? "/64 \(device) nodad" : "/24 \(device)"
            try await Self.run(on: emulator.second, "ip addr add \(address)\(words)", folder)
        }
        if onlyIPv6 {
            for side in [emulator.first, emulator.second] {
                try await Self.run(on: side, "ip -4 addr flush \(device)", folder)
            }
        }
        let listening = (onlyIPv6 ? "[\(relayAddress)]" : relayAddress) + ":\(Self.relayPort)"
        let words =
            emulator.second.prefix + [
                ChildProcess.built("parley-relay"), "--listen", listening, "--state", folder.file("relay"),
            ]
        server = try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
        let line = try await server.line { _ in true }
        relay = try #require(line.hasPrefix("relay smp://") ? String(line.dropFirst("relay ".count)) : nil, "\(line)")
        emulator.attach(tap)
    }

    private static func run(on side: NetworkEmulator.Side, _ command: String, _ folder: TemporaryFolder) async throws {
        let words = side.prefix + ["sh", "-c", command]
        let process = try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
        try #require(try await process.exitStatus() == 0, "\(command): \(process.errors)")
    }

    /// The TURN server's address in a URL.
    var turnHost: String { turnAddress.contains(":") ? "[\(turnAddress)]" : turnAddress }

    deinit { emulator.stop() }

    /// Starts `parley-cli` on a side.
    /// - Parameters:
    ///   - relay: another relay for messages than the town's.
    ///   - environment: variables that it has besides, `NAME=VALUE`.
    func start(
        on side: NetworkEmulator.Side, _ name: String, relay: String? = nil, environment: [String] = [],
        _ arguments: [String]
    ) throws -> ChildProcess {
        let words =
            side.prefix + ["/usr/bin/env"] + environment + [
                ChildProcess.built("parley-cli"), "--profile", folder.file(name), "--relay", relay ?? self.relay,
                "--key-file",
            ]
            + arguments
        return try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
    }

    /// Connects a profile of the first side with one of the second.
    func introduce(_ first: String, _ second: String) async throws {
        let inviting = try start(on: emulator.first, first, ["invite", "--json"])
        let connecting = try start(
            on: emulator.second, second, ["connect", try await Self.link(of: inviting), "--json"])
        try await Self.waitForBoth(inviting, connecting)
    }

    /// The link of an invitation.
    static func link(of inviting: ChildProcess) async throws -> String {
        try #require(try await inviting.event("link")["link"] as? String)
    }

    static func waitForBoth(_ inviting: ChildProcess, _ connecting: ChildProcess) async throws {
        #expect(try await connecting.exitStatus() == 0, "\(connecting.errors)")
        #expect(try await inviting.exitStatus() == 0, "\(inviting.errors)")
    }

    /// A file that names a server for calls.
    func servers(_ line: String) throws -> String {
        let path = folder.file("servers-" + UUID().uuidString)
        try Data((line + "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Packets that were neither between the first side and the relay for messages nor between it and `others`.
    func strays(besides others: [(address: String, port: UInt16)] = []) -> [String] {
        let known = others + [(relayAddress, Self.relayPort)]
        return tap.packets.compactMap { packet in
            let isKnown = known.contains { place in
                // A server that still sends when the call is over is told so by ICMP.
                packet.payload == .icmp && packet.destination == place.address
                    || packet.destination == place.address && packet.destinationPort == place.port
                    || packet.source == place.address && packet.sourcePort == place.port
            }
            return isKnown ? nil : packet.sentence
        }
    }
}

extension TappedPacket {
    var sentence: String {
        "\(source ?? "?"):\(sourcePort ?? 0) → \(destination ?? "?"):\(destinationPort ?? 0) \(payload.map { "\($0)" } ?? "?") \(bytes.count)"
    }

    /// Whether bytes begin as a STUN message does (RFC 8489 §5).
    static func isSTUN(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = Array(bytes.prefix(8))
        return head.count == 8 && head[0] & 0xC0 == 0 && Array(head[4...]) == [0x21, 0x12, 0xA4, 0x42]
    }
}
