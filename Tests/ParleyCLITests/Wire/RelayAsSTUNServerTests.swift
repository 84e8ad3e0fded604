import Foundation
import NetworkEmulation
import TestSupport
import Testing

/// Real programs in network namespaces, a router between them that gives ports new numbers, and the relay as the only STUN server.
@Suite(.needs(NetworkEmulator.obstacle), .serialized, .timeLimit(.minutes(5)))
struct RelayAsSTUNServerTests {
    @Test func `behind a router the relay tells a call the address that the other side reaches`() async throws {
        let town = try await WireTown()
        try await town.introduce("A", "B")
        // From here on every port of the first side has another number outside.
        town.emulator.rebind()
        town.tap.clear()
        try await call(town, ["--ask-relays"])
        let answers = self.answers(of: town)
        #expect(!answers.isEmpty)
        // XOR-MAPPED-ADDRESS is the first attribute: the port, mixed with the cookie's first half.
        let ports = Set(answers.map { (UInt16($0[26]) << 8 | UInt16($0[27])) ^ 0x2112 })
        #expect(ports.allSatisfy { $0 >= 61_000 }, "\(ports)")
        // The other side tries such an address before it has heard of it from there in any other way than the offer.
        let tried = town.tap.packets.contains { packet in
            packet.destination == town.emulator.first.address && packet.source == town.emulator.second.address
                && ports.contains(packet.destinationPort ?? 0)
                && packet.datagram.map { TappedPacket.isSTUN($0) } == true
        }
        #expect(tried)
    }

    @Test func `nobody is asked who was not chosen, and nobody before the call is accepted`() async throws {
        let town = try await WireTown()
        try await town.introduce("A", "B")
        town.tap.clear()
        try await call(town, [])
        #expect(answers(of: town).isEmpty)
        town.tap.clear()
        let callee = try town.start(
            on: town.emulator.first, "A",
            ["listen", "--json", "--camera", "test", "--microphone", "test", "--ask-relays"])
        try await callee.event("listening")
        let caller = try town.start(
            on: town.emulator.second, "B",
            ["call", "A", "--json", "--ring-for", "3", "--camera", "test", "--microphone", "test"])
        try await callee.event("incoming")
        #expect(try await caller.exitStatus() == 1)
        #expect(town.tap.packets.allSatisfy { $0.datagram.map { TappedPacket.isSTUN($0) } != true })
        callee.signal(SIGTERM)
        _ = try await callee.exitStatus()
    }

    /// A calls B; both see each other.
    private func call(_ town: WireTown, _ options: [String]) async throws {
        let devices = ["--json", "--camera", "test", "--microphone", "test"]
        let callee = try town.start(on: town.emulator.second, "B", ["listen", "--accept", "--once"] + devices)
        try await callee.event("listening")
        let caller = try town.start(on: town.emulator.first, "A", ["call", "B", "--for", "2"] + devices + options)
        #expect(try await caller.exitStatus() == 0, "\(caller.lines) \(caller.errors)")
        #expect(try await callee.exitStatus() == 0, "\(callee.lines)")
    }

    /// What the relay answered by STUN at its own port.
    private func answers(of town: WireTown) -> [[UInt8]] {
        town.tap.packets.compactMap { packet in
            guard packet.source == town.relayAddress, packet.sourcePort == 5_223, let datagram = packet.datagram,
                TappedPacket.isSTUN(datagram)
            else { return nil }
            return Array(datagram)
        }
    }
}
