import Foundation
import TestSupport
import Testing

/// What the watch of packets finds in them.
@Suite(.needs(PacketWatch.obstacle), .timeLimit(.minutes(1))) struct PacketWatchTests {
    private let text = "watched-" + UUID().uuidString.lowercased()

    /// Sends it to a port of loopback that nobody reads, at an address of its own, and returns once it has been seen there.
    private func send(_ payload: String, seenBy watch: PacketWatch) async throws {
        let target = "127.77.\(UInt8.random(in: 100...254)).\(UInt8.random(in: 1...254))"
        let before = watch.packets(to: target)
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian
        try #require(inet_pton(AF_INET, target, &address.sin_addr) == 1)
        let sent = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, payload, payload.utf8.count, 0, $0, UInt32(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(sent == payload.utf8.count)
        try await waitUntil("the packet is seen") { watch.packets(to: target) > before }
    }

    @Test(arguments: ["", "-", "w-", "watched-", "of other words "])
    func `a text is found behind any other and before any other`(other: String) async throws {
        let watch = try PacketWatch()
        try await send("a packet without it", seenBy: watch)
        #expect(watch.packets(holding: text) == 0)
        try await send(other + text, seenBy: watch)
        let first = watch.packets(holding: text)
        #expect(first > 0)
        try await send(text + other, seenBy: watch)
        #expect(watch.packets(holding: text) > first)
        watch.stop()
    }

    @Test func `letters of either size are the same`() async throws {
        let watch = try PacketWatch()
        try await send(text.uppercased(), seenBy: watch)
        #expect(watch.packets(holding: text) > 0)
        watch.stop()
    }

    @Test func `a text with one character missing or changed is not found`() async throws {
        let watch = try PacketWatch()
        var changed = Array(text)
        changed[changed.count - 1] = changed.last == "0" ? "1" : "0"
        for payload in [String(text.dropFirst()), String(text.dropLast()), String(changed)] {
            try await send(payload, seenBy: watch)
        }
        #expect(watch.packets(holding: text) == 0)
        watch.stop()
    }

    @Test func `each packet is counted once, however often it is looked for`() async throws {
        let watch = try PacketWatch()
        try await send(text, seenBy: watch)
        // Whatever loopback shows of the first one has been seen before the second.
        try await send("a packet without it", seenBy: watch)
        let found = watch.packets(holding: text)
        #expect(found > 0)
        #expect(watch.packets(holding: text) == found)
        watch.stop()
    }
}
