import BaseKit
import Foundation
import TestSupport
import Testing

@testable import NetworkEmulation

@Suite(.serialized, .needs(NetworkEmulator.obstacle), .timeLimit(.minutes(5)))
struct NetworkEmulatorTests {
    private func plan(_ condition: LinkCondition) -> NetworkPlan {
        NetworkPlan(
            about: "a test", seed: 1, duration: 10,
            phases: [NetworkPlan.Phase(from: 0, forward: condition, backward: condition)])
    }

    @Test func `packets cross in both directions and are counted`() throws {
        let emulator = try NetworkEmulator(plan: plan(LinkCondition()))
        defer { emulator.stop() }
        let first = try DatagramSocket(in: emulator.first)
        let second = try DatagramSocket(in: emulator.second)
        first.send([1, 2, 3], to: emulator.second.address, port: second.port)
        #expect(second.receive() == [1, 2, 3])
        second.send([4], to: emulator.first.address, port: first.port)
        #expect(first.receive() == [4])
        #expect(emulator.statistics.forward.delivered >= 1)
    }

    @Test func `the link loses what the plan says`() throws {
        let emulator = try NetworkEmulator(plan: plan(LinkCondition()))
        defer { emulator.stop() }
        let first = try DatagramSocket(in: emulator.first)
        let second = try DatagramSocket(in: emulator.second)
        let cut = LinkCondition(loss: 1)
        emulator.change(to: NetworkPlan.Phase(from: 0, forward: cut, backward: LinkCondition()))
        for number in 0..<50 { first.send([UInt8(number)], to: emulator.second.address, port: second.port) }
        second.send([9], to: emulator.first.address, port: first.port)
        #expect(first.receive() == [9])
        #expect(second.receive(within: .milliseconds(100)) == nil)
        #expect(emulator.statistics.forward.lost >= 50)
    }

    @Test func `what is outside cannot be reached`() throws {
        let emulator = try NetworkEmulator(plan: plan(LinkCondition()))
        defer { emulator.stop() }
        let first = try DatagramSocket(in: emulator.first)
        #expect(!first.send([1], to: "192.0.2.1", port: 9))
    }

    @Test func `a tap sees what a side sends whether or not it arrives`() throws {
        let emulator = try NetworkEmulator()
        defer { emulator.stop() }
        let tap = PacketTap()
        emulator.attach(tap)
        emulator.cut()
        let first = try DatagramSocket(in: emulator.first)
        first.send([1, 2, 3], to: emulator.second.address, port: 9)
        while tap.packets.isEmpty { usleep(1_000) }
        #expect(tap.packets.count == 1)
        let packet = try #require(tap.packets.first)
        #expect(packet.direction == .forward && packet.source == emulator.first.address)
        #expect(packet.sourcePort == first.port && packet.destinationPort == 9)
        #expect(packet.datagram.map(Array.init) == [1, 2, 3])
    }

    @Test func `a system left alone sends nothing that a tap keeps`() throws {
        let emulator = try NetworkEmulator()
        defer { emulator.stop() }
        let (all, wanted) = (PacketTap { _ in true }, PacketTap())
        emulator.attach(all)
        emulator.attach(wanted)
        // IPv6 asks for routers by itself once a device is up.
        while all.packets.isEmpty { usleep(1_000) }
        #expect(wanted.packets.isEmpty)
    }

    @Test func `a cut link carries again once restored`() throws {
        let emulator = try NetworkEmulator()
        defer { emulator.stop() }
        let first = try DatagramSocket(in: emulator.first)
        let second = try DatagramSocket(in: emulator.second)
        emulator.cut()
        first.send([1], to: emulator.second.address, port: second.port)
        #expect(second.receive(within: .milliseconds(100)) == nil)
        emulator.restore()
        first.send([2], to: emulator.second.address, port: second.port)
        #expect(second.receive() == [2])
    }

    @Test func `a side that moves is reached at its new address only`() throws {
        let emulator = try NetworkEmulator()
        defer { emulator.stop() }
        let first = try DatagramSocket(in: emulator.first)
        let before = try DatagramSocket(in: emulator.second)
        let moved = try emulator.move(emulator.second, to: 22)
        let after = try DatagramSocket(in: moved)
        first.send([1], to: emulator.second.address, port: before.port)
        first.send([2], to: moved.address, port: after.port)
        #expect(after.receive() == [2])
        #expect(before.receive(within: .milliseconds(100)) == nil)
    }

    @Test func `a router that forgets gives a port another number and drops what comes for the old one`() throws {
        let emulator = try NetworkEmulator()
        defer { emulator.stop() }
        let tap = PacketTap()
        emulator.attach(tap)
        let first = try DatagramSocket(in: emulator.first)
        let second = try DatagramSocket(in: emulator.second)
        var numbers: [UInt16] = [first.port]
        for round in 1...2 {
            emulator.rebind()
            second.send([9], to: emulator.first.address, port: numbers.last ?? 0)
            #expect(first.receive(within: .milliseconds(100)) == nil)
            first.send([UInt8(round)], to: emulator.second.address, port: second.port)
            #expect(second.receive() == [UInt8(round)])
            numbers.append(try #require(tap.packets.last { $0.direction == .forward }?.sourcePort))
            second.send([7], to: emulator.first.address, port: numbers.last ?? 0)
            #expect(first.receive() == [7])
        }
        #expect(Set(numbers).count == 3)
    }

    @Test func `a router forgets when the plan says so`() throws {
        var plan = plan(LinkCondition())
        plan.rebindings = [0]
        let emulator = try NetworkEmulator(plan: plan)
        defer { emulator.stop() }
        let tap = PacketTap()
        emulator.attach(tap)
        let first = try DatagramSocket(in: emulator.first)
        emulator.start()
        while tap.packets.last?.sourcePort ?? first.port == first.port {
            first.send([1], to: emulator.second.address, port: 9)
            usleep(1_000)
        }
    }

    @Test func `a side without its device is told so until it is back`() throws {
        let emulator = try NetworkEmulator()
        defer { emulator.stop() }
        let first = try DatagramSocket(in: emulator.first)
        let second = try DatagramSocket(in: emulator.second)
        try emulator.unplug(emulator.first)
        #expect(!first.send([1], to: emulator.second.address, port: second.port))
        try emulator.plug(emulator.first)
        #expect(first.send([2], to: emulator.second.address, port: second.port))
        #expect(second.receive() == [2])
    }

    @Test func `a program runs in a side`() throws {
        let emulator = try NetworkEmulator()
        defer { emulator.stop() }
        let program = Process()
        let output = Pipe()
        let words = emulator.second.prefix + ["ip", "-o", "addr"]
        program.executableURL = URL(filePath: words[0])
        program.arguments = Array(words.dropFirst())
        program.standardOutput = output
        try program.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        #expect(text.contains(emulator.second.address) && !text.contains(emulator.first.address))
    }

    @Test func `stopping removes the namespaces`() throws {
        let emulator = try NetworkEmulator(plan: plan(LinkCondition()))
        #expect(FileManager.default.fileExists(atPath: "/run/netns/\(emulator.first.namespace)"))
        emulator.stop()
        #expect(!FileManager.default.fileExists(atPath: "/run/netns/\(emulator.first.namespace)"))
        #expect(!FileManager.default.fileExists(atPath: "/run/netns/\(emulator.second.namespace)"))
    }
}

/// A UDP socket that lives in one side's namespace: made by a thread that went there.
private final class DatagramSocket: Sendable {
    struct Unusable: Error {}

    private let descriptor: Int32
    let port: UInt16

    init(in side: NetworkEmulator.Side) throws {
        nonisolated(unsafe) var made: Int32 = -1  // Written by the thread before it signals, read after.
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // Swift does not see setns(2), nor CLONE_NEWNET.
            let enter = unsafeBitCast(dlsym(nil, "setns"), to: (@convention(c) (Int32, Int32) -> Int32).self)
            let namespace = open("/run/netns/\(side.namespace)", O_RDONLY | O_CLOEXEC)
            if enter(namespace, 0x4000_0000) == 0 { made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0) }
            close(namespace)
            done.signal()
        }
        done.wait()
        guard made >= 0 else { throw Unusable() }
        descriptor = made
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(side.address)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(made, $0, length) == 0 && getsockname(made, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard bound else { throw Unusable() }
    }

    deinit { close(descriptor) }

    @discardableResult
    func send(_ bytes: [UInt8], to host: String, port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == bytes.count
            }
        }
    }

    /// The next datagram; nil when none comes in time.
    func receive(within time: Duration = .seconds(10)) -> [UInt8]? {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, Int32(time.wholeMilliseconds)) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 2_000)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count >= 0 ? Array(buffer.prefix(count)) : nil
    }
}
