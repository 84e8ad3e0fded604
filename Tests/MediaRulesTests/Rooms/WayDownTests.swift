import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct WayDownTests {
    private static let start = Instant(sinceStart: .seconds(1_000))

    /// Sends so many packets, one each 10 ms, each of which waits as `queue` says, in seconds; gives what is told at the end.
    private func tell(_ way: inout WayDown, from first: Int = 0, _ count: Int, queue: (Int) -> Double) -> Double? {
        var last = Self.start
        for index in first..<first + count {
            let sent = Double(index) * 0.01
            let time = SendTime(UInt32(truncatingIfNeeded: Int((sent + 63) * Double(SendTime.second))))
            last = Self.start + .seconds(sent + 0.04 + queue(index))
            way.came(time, now: last)
        }
        return way.queue(now: last)?.inSeconds
    }

    @Test func `nothing is told before anything came, and an even way has no queue`() throws {
        var way = WayDown()
        #expect(way.queue(now: Self.start) == nil)
        // The sender's clock begins anew meanwhile.
        let queue = try #require(tell(&way, 1_000) { _ in 0 })
        #expect(queue < 0.001)
    }

    @Test func `a queue is told within half a second, and that it has gone`() throws {
        var way = WayDown()
        _ = tell(&way, 500) { _ in 0 }
        let grown = try #require(tell(&way, from: 500, 50) { _ in 0.36 })
        #expect((0.30...0.37).contains(grown))
        let gone = try #require(tell(&way, from: 550, 100) { _ in 0 })
        #expect(gone < 0.02)
    }

    @Test func `single late packets are no queue`() throws {
        var way = WayDown()
        let queue = try #require(tell(&way, 1_000) { $0 % 40 == 39 ? 0.2 : 0 })
        #expect(queue < 0.05)
    }

    @Test func `packets that are read late and then at once are no queue`() throws {
        var way = WayDown()
        // Read each 250 ms; of the last such packets some are still to be read.
        let queue = try #require(tell(&way, 1_010) { Double(24 - $0 % 25) * 0.01 })
        #expect(queue < 0.02)
    }

    @Test func `the first of many packets that are read late are no queue, and what was told of one holds meanwhile`()
        throws
    {
        for queue in [0, 0.2] {
            var way = WayDown()
            _ = tell(&way, 500) { _ in 0 }
            _ = tell(&way, from: 500, 100) { _ in queue }
            // Nothing is read for 400 ms.
            for count in [1, 20, 40] {
                var stalled = way
                let told = try #require(tell(&stalled, from: 600, count) { queue + Double(640 - $0) * 0.01 })
                #expect(abs(told - queue) < 0.02)
            }
        }
    }

    @Test func `a queue that begins with a jump is told within half a second`() throws {
        var way = WayDown()
        _ = tell(&way, 500) { _ in 0 }
        let told = try #require(tell(&way, from: 500, 50) { $0 % 2 == 0 ? 0.2 : 0.19 })
        #expect((0.15...0.2).contains(told))
    }

    @Test func `a longer way counts as the way after half a minute`() throws {
        var way = WayDown()
        _ = tell(&way, 1_000) { _ in 0 }
        let queue = try #require(tell(&way, from: 1_000, 3_100) { _ in 0.1 })
        #expect(queue < 0.01)
    }

    @Test func `after a long silence it begins anew`() throws {
        var way = WayDown()
        _ = tell(&way, 500) { _ in 0 }
        way.came(SendTime(5), now: Self.start + .seconds(100))
        #expect(way.queue(now: Self.start + .seconds(100)) == .zero)
    }

    @Test func `of a way by which nothing comes nothing is told, however full it was last`() throws {
        var way = WayDown()
        _ = tell(&way, 500) { _ in 0 }
        let full = try #require(tell(&way, from: 500, 50) { _ in 0.36 })
        #expect(full > 0.3)
        let end = Self.start + .seconds(5.49 + 0.04 + 0.36)
        #expect(way.queue(now: end + .milliseconds(900)) != nil)
        #expect(way.queue(now: end + .seconds(1)) == nil)
        way.came(SendTime(UInt32((7 + 63) % 64 * SendTime.second)), now: end + .seconds(1.15))
        #expect(try #require(way.queue(now: end + .seconds(1.15))).inSeconds < 0.02)
    }

    @Test func `no times make it trap`() throws {
        var random = SeededGenerator(seed: 5)
        var way = WayDown()
        for _ in 0..<10_000 {
            let now = Instant(sinceStart: .seconds(Double.random(in: -1e9...1e9, using: &random)))
            way.came(SendTime(.random(in: 0...UInt32.max, using: &random)), now: now)
            #expect(try #require(way.queue(now: now)) >= .zero)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct SendTimeTests {
    /// A packet with these elements as its header extension.
    private func packet(_ elements: [UInt8], profile: [UInt8] = [0xBE, 0xDE]) -> [UInt8] {
        let padded = elements + [UInt8](repeating: 0, count: (4 - elements.count % 4) % 4)
        return [0x90, 96] + [UInt8](repeating: 1, count: 10) + profile + [0, UInt8(padded.count / 4)] + padded + [1, 2]
    }

    private func read(_ packet: [UInt8], _ number: Int) -> SendTime? {
        packet.withUnsafeBytes { SendTime($0, extension: number) }
    }

    @Test func `it is found by its number among others`() {
        let packet = packet([0x10, 65, 0, 0x32, 1, 2, 3, 0x21, 9, 9])
        #expect(read(packet, 3) == SendTime(0x01_0203))
        #expect(read(packet, 1) == nil && read(packet, 2) == nil && read(packet, 4) == nil)
    }

    @Test func `nothing is read where there is no such extension, or its length is wrong`() {
        #expect(read(packet([0x32, 1, 2, 3], profile: [0x10, 0]), 3) == nil)
        #expect(read(packet([0x3F, 1, 2, 3]), 3) == nil)
        #expect(read([0x80, 96] + [UInt8](repeating: 1, count: 12), 3) == nil)
        #expect(read(Array(packet([0x32, 1, 2, 3]).prefix(17)), 3) == nil)
    }

    @Test func `times are apart by the shorter way round`() {
        #expect(SendTime(5).since(SendTime(0xFF_FFFE)) == 7)
        #expect(SendTime(0xFF_FFFE).since(SendTime(5)) == -7)
    }
}
