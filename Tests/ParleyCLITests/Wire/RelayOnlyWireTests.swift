import Foundation
import NetworkEmulation
import TestSupport
import Testing

/// What crosses the wire of real programs in network namespaces.
@Suite(.needs(NetworkEmulator.obstacle ?? TURNServer.obstacle), .serialized, .timeLimit(.minutes(5)))
struct RelayOnlyWireTests {
    /// The ways to the TURN server: what stands in the file of servers, and the port.
    enum Way: String, CaseIterable, Sendable {
        case udp, tcp, tls

        var port: UInt16 { self == .tls ? 5_349 : 3_478 }

        func line(_ town: WireTown, _ authority: TestAuthority) -> String {
            switch self {
            case .udp: "turn:\(town.turnHost) user ann secret"
            case .tcp: "turn:\(town.turnHost)?transport=tcp user ann secret"
            case .tls: "turns:\(town.turnHost) user ann secret authorities \(authority.certificate)"
            }
        }
    }

    @Test(arguments: Way.allCases)
    func
        `of a relay-only call nothing crosses but what is between caller and relays, though the peer names its addresses`(
            way: Way
        ) async throws
    {
        try await callThroughRelay(way, WireTown())
    }

    @Test(arguments: Way.allCases)
    func `the same where there is only IPv6`(way: Way) async throws {
        let town = try await WireTown(onlyIPv6: true)
        try await callThroughRelay(way, town)
        let media = town.tap.packets.filter { $0.payload == .udp || $0.payload == .tcp }
        #expect(media.allSatisfy { $0.source?.contains(":") == true && $0.destination?.contains(":") == true })
    }

    private func callThroughRelay(_ way: Way, _ town: WireTown) async throws {
        let authority = try TestAuthority(town.folder.path)
        let turn = try await TURNServer(
            town.folder, address: town.turnAddress, login: .user("ann", password: "secret"),
            certificate: try authority.issue(["IP:\(town.turnAddress)"]), prefix: town.emulator.second.prefix)
        try await town.introduce("A", "B")
        town.tap.clear()
        try await expectCall(
            town, ["--relay-only", "--call-servers", try town.servers(way.line(town, authority))])
        #expect(town.strays(besides: [(town.turnAddress, way.port)]) == [])
        try expectKind(way, town)
        #expect(turn.log.contains { $0.contains("ALLOCATE processed, success") })
    }

    /// A calls B with these options, and both see each other.
    private func expectCall(_ town: WireTown, _ options: [String]) async throws {
        let devices = ["--json", "--camera", "test", "--microphone", "test"]
        let callee = try town.start(on: town.emulator.second, "B", ["listen", "--accept", "--once"] + devices)
        try await callee.event("listening")
        let caller = try town.start(on: town.emulator.first, "A", ["call", "B", "--for", "2"] + devices + options)
        #expect(try await caller.exitStatus() == 0, "\(caller.lines) \(caller.errors)")
        #expect(try await callee.exitStatus() == 0, "\(callee.lines)")
        for process in [caller, callee] {
            let summary = try await process.event("summary")
            #expect((summary.counts("received")["videoFrames"] as? Int ?? 0) > 0)
        }
    }

    /// TLS shows itself as TLS and no STUN is seen in clear; the other ways show STUN.
    private func expectKind(_ way: Way, _ town: WireTown) throws {
        let packets = town.tap.packets
        let toServer = packets.filter { $0.destination == town.turnAddress && $0.destinationPort == way.port }
        let segments = toServer.compactMap(\.segment).filter { !$0.isEmpty }
        let datagrams = toServer.compactMap(\.datagram)
        switch way {
        case .udp: #expect(datagrams.first.map(TappedPacket.isSTUN) == true && segments.isEmpty)
        case .tcp: #expect(segments.first.map(TappedPacket.isSTUN) == true && datagrams.isEmpty)
        case .tls:
            // A handshake record with a ClientHello (RFC 8446 §5.1, §4).
            let first = Array(try #require(segments.first).prefix(6))
            #expect(first.count == 6 && first[0] == 22 && first[1] == 3 && first[5] == 1)
            #expect(datagrams.isEmpty)
            let all = packets.compactMap(\.segment).filter { !$0.isEmpty }
            #expect(!all.contains(where: TappedPacket.isSTUN))
            let cookie: [UInt8] = [0x21, 0x12, 0xA4, 0x42]
            #expect(!segments.contains { Data($0).range(of: Data(cookie)) != nil && $0.count < 200 })
        }
    }

    /// Shows that the tests above look for the right things.
    @Test func `a call that may go every way goes straight`() async throws {
        let town = try await WireTown()
        try await town.introduce("A", "B")
        try await expectCall(town, [])
        #expect(town.strays().count > 100)
    }

    @Test func `a call goes straight where there is only IPv6`() async throws {
        let town = try await WireTown(onlyIPv6: true)
        try await town.introduce("A", "B")
        try await expectCall(town, [])
        let media = town.tap.packets.filter { $0.payload == .udp }
        #expect(media.count > 100)
        #expect(media.allSatisfy { $0.source?.contains(":") == true && $0.destination?.contains(":") == true })
    }

    @Test func `a relay-only call whose server is not there ends with a sentence and goes no other way`() async throws {
        let town = try await WireTown()
        try await town.introduce("A", "B")
        let callee = try town.start(
            on: town.emulator.second, "B",
            ["listen", "--accept", "--once", "--json", "--camera", "test", "--microphone", "test"])
        try await callee.event("listening")
        town.tap.clear()
        let caller = try town.start(
            on: town.emulator.first, "A",
            [
                "call", "B", "--json", "--camera", "test", "--microphone", "test", "--relay-only", "--call-servers",
                try town.servers("turn:\(town.turnAddress) user ann secret"),
            ])
        #expect(try await caller.exitStatus() == 1)
        let ended = try await caller.event("ended")
        #expect((ended["message"] as? String ?? "").contains("No relay server gave an address"), "\(ended.line)")
        #expect(try await callee.exitStatus() == 1)
        let strays = town.tap.packets.filter {
            $0.payload != .icmp && $0.destination != town.turnAddress && $0.source != town.turnAddress
                && $0.destination != town.relayAddress && $0.source != town.relayAddress
        }
        #expect(strays.map(\.sentence) == [])
    }

    @Test func `while it rings nothing leaves the callee but for its relay`() async throws {
        let town = try await WireTown()
        try await town.introduce("A", "B")
        let callee = try town.start(
            on: town.emulator.first, "A", ["listen", "--json", "--camera", "test", "--microphone", "test"])
        try await callee.event("listening")
        town.tap.clear()
        let caller = try town.start(
            on: town.emulator.second, "B",
            ["call", "A", "--json", "--ring-for", "3", "--camera", "test", "--microphone", "test"])
        try await callee.event("incoming")
        #expect(try await caller.exitStatus() == 1)
        try await callee.event("summary")
        #expect(town.strays() == [])
        #expect(!town.tap.packets.isEmpty)
        callee.signal(SIGTERM)
        _ = try await callee.exitStatus()
    }
}
