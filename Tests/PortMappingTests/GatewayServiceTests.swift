import Foundation
import TestSupport
import Testing

@testable import PortMapping

/// UPnP by libminiupnpc, with a gateway of the test's own.
@Suite(.timeLimit(.minutes(5))) struct GatewayServiceTests {
    private typealias Behaviour = GatewayServer.Behaviour

    /// Asks on a thread that may wait.
    private func outcome(
        _ behaviour: Behaviour = Behaviour(), lifetime: UInt32 = 7_200
    ) async throws -> (outcome: UPnPOutcome?, actions: [String]) {
        let server = try await GatewayServer.start(behaviour)
        let address = try #require(IPv4Address(parsing: "127.0.0.1"))
        let place = server.place
        let outcome = await onThread {
            GatewayService(description: place, of: address)?.map(5_223, address, outside: 5_223, lifetime: lifetime)
        }
        defer { Task { await server.stop() } }
        return (outcome, server.actions)
    }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    private func address() throws -> IPv4Address { try #require(IPv4Address(parsing: "198.51.100.7")) }

    @Test func `a gateway forwards the port`() async throws {
        let (outcome, actions) = try await outcome()
        #expect(outcome == .mapped(try address(), port: 5_223, lifetime: 7_200))
        let request = try #require(actions.last)
        for part in [
            "AddPortMapping", "<NewExternalPort>5223</NewExternalPort>", "<NewProtocol>TCP</NewProtocol>",
            "<NewInternalClient>127.0.0.1</NewInternalClient>", "<NewLeaseDuration>7200</NewLeaseDuration>",
        ] { #expect(request.contains(part)) }
    }

    @Test func `a port that is taken is exchanged for a free one`() async throws {
        let outcome = try await outcome(Behaviour(refusals: [718, 718])).outcome
        guard case .mapped(_, let port, 7_200)? = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(port >= 49_152)
    }

    @Test func `a gateway whose mappings last for ever is asked for one that does`() async throws {
        let (outcome, actions) = try await outcome(Behaviour(refusals: [725]))
        #expect(outcome == .mapped(try address(), port: 5_223, lifetime: 0))
        #expect(actions.last?.contains("<NewLeaseDuration>0</NewLeaseDuration>") == true)
    }

    @Test(
        arguments: [
            ([606], RouterRefusal.notAuthorized), ([718, 718, 718, 718, 718], .portTaken), ([724], .portTaken),
            ([728], .noResources), ([501], .other(.upnp, 501)),
        ])
    func `why a gateway refuses is told`(refusals: [Int], reason: RouterRefusal) async throws {
        #expect(try await outcome(Behaviour(refusals: refusals)).outcome == .refused(reason))
    }

    @Test(arguments: ["", "0.0.0.0", "nowhere", "::1", String(repeating: "1", count: 500)])
    func `a gateway without an address of IPv4 outside opens nothing`(address: String) async throws {
        let (outcome, actions) = try await outcome(Behaviour(address: address))
        #expect(outcome == .refused(.noExternalAddress) || outcome == .absent)
        #expect(!actions.contains { $0.contains("AddPortMapping") })
    }

    @Test(
        arguments: [
            "", "<root>", String(repeating: "<a>", count: 20_000), "<controlURL>/control</controlURL>",
            GatewayServer.description(control: "http://192.0.2.1/control"),
            GatewayServer.description(control: "http://127.0.0.11/control"),
            GatewayServer.description().replacingOccurrences(of: "WANIPConnection", with: "Printer"),
        ])
    func `a description that is none, or leads elsewhere, is not followed`(description: String) async throws {
        #expect(try await outcome(Behaviour(description: description)).outcome == nil)
    }

    @Test func `a hundred damaged descriptions bring a mapping or nothing`() async throws {
        let server = try await GatewayServer.start()
        let address = try #require(IPv4Address(parsing: "127.0.0.1"))
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<100 {
            var bytes = Array(GatewayServer.description().utf8)
            for _ in 0..<20 { bytes[.random(in: 0..<bytes.count, using: &generator)] = generator.bytes(1)[0] }
            server.describe(String(decoding: bytes, as: UTF8.self))
            let place = server.place
            _ = await onThread { GatewayService(description: place, of: address) == nil }
        }
        await server.stop()
    }

    @Test func `a gateway that never ends its answer is given up`() async throws {
        let begin = ContinuousClock.now
        #expect(try await outcome(Behaviour(stopsAfter: 30)).outcome == nil)
        #expect(ContinuousClock.now - begin < UPnPClient.patience)
    }

    @Test(
        arguments: [
            ("http://192.168.1.1/device.xml", true), ("http://192.168.1.1:1900/device.xml", true),
            ("http://192.168.1.10/device.xml", false), ("https://192.168.1.1/", false),
            ("http://192.168.1.1@192.0.2.1/", false), ("http://192.168.1.1.example/", false), ("", false),
        ])
    func `only what is at the router is asked`(url: String, isThere: Bool) throws {
        #expect(GatewayService.is(url, at: try #require(IPv4Address(parsing: "192.168.1.1"))) == isThere)
    }
}
