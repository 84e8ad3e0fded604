import BaseKit
import Synchronization
import TestSupport
import Testing

@testable import PortMapping

/// With real sockets, and pretended routers behind them.
@Suite(.timeLimit(.minutes(5))) struct PortMapperTests {
    private static let loopback = IPv4Address(parsing: "127.0.0.1")

    private func surroundings(_ port: UInt16, _ upnp: PretendedUPnP = .init(.absent)) -> PortMappingSurroundings {
        var surroundings = PortMappingSurroundings(router: { Self.loopback }, upnp: upnp)
        surroundings.routerPort = port
        return surroundings
    }

    /// The first state that is another one than `asking`.
    private func outcome(_ states: AsyncStream<PortMappingState>) async -> PortMappingState? {
        for await state in states where state != .asking { return state }
        return nil
    }

    @Test(arguments: [true, false]) func `a port is open until it is stopped`(pcp: Bool) async throws {
        let server = try await RouterServer.start(PretendedRouter(speaksPCP: pcp))
        let mapper = PortMapper(port: 5_223, surroundings(server.port))
        await mapper.start()
        let way: PortMappingWay = pcp ? .pcp : .natPMP
        #expect(await outcome(mapper.states) == .open(MappedPort(address: "198.51.100.7", port: 5_223, way: way)))
        #expect(server.mappings == [5_223: 5_223])
        await mapper.stop()
        #expect(server.mappings.isEmpty)
        await server.stop()
    }

    @Test func `the request names the address that this machine has towards the router`() async throws {
        let server = try await RouterServer.start()
        let mapper = PortMapper(port: 5_223, surroundings(server.port))
        await mapper.start()
        _ = await outcome(mapper.states)
        guard case .map(_, let client, _)? = server.lastRequest.flatMap({ PCPRequest(decoding: $0.bytes) }) else {
            Issue.record("No mapping was asked for.")
            return
        }
        #expect(client.description == "127.0.0.1")
        await mapper.stop()
        await server.stop()
    }

    @Test func `where nobody listens at the router's port UPnP is asked at once`() async throws {
        let server = try await RouterServer.start()
        await server.stop()
        let address = try #require(IPv4Address(parsing: "198.51.100.9"))
        let upnp = PretendedUPnP(.mapped(address, port: 50_000, lifetime: 0))
        let mapper = PortMapper(port: 5_223, surroundings(server.port, upnp))
        let begin = Instant.now
        await mapper.start()
        #expect(await outcome(mapper.states) == .open(MappedPort(address: "198.51.100.9", port: 50_000, way: .upnp)))
        // The first datagram would be repeated only after this.
        #expect(Instant.now - begin < .seconds(2.5))
        await mapper.stop()
        #expect(upnp.requests.last == .remove(externalPort: 50_000))
    }

    @Test func `what somebody else sends to the socket is not taken for the router's answer`() async throws {
        let server = try await RouterServer.start()
        let other = try await RouterServer.start()
        server.mute(true)
        let mapper = PortMapper(port: 5_223, surroundings(server.port))
        await mapper.start()
        try await waitUntil("the router is asked", within: .seconds(60)) { server.lastRequest != nil }
        let request = try #require(server.lastRequest)
        var liar = PretendedRouter(address: "203.0.113.66")
        try await other.send(try #require(liar.answer(request.bytes, at: .now)), to: request.from)
        server.mute(false)
        #expect(
            await outcome(mapper.states) == .open(MappedPort(address: "198.51.100.7", port: 5_223, way: .pcp)))
        await mapper.stop()
        await other.stop()
        await server.stop()
    }

    @Test func `in another network the router of that one is asked`() async throws {
        let (first, second) = (
            try await RouterServer.start(), try await RouterServer.start(PretendedRouter(address: "203.0.113.2"))
        )
        let router = Mutex(Self.loopback)
        var surroundings = PortMappingSurroundings(router: { router.withLock { $0 } }, upnp: PretendedUPnP(.absent))
        surroundings.routerPort = first.port
        let mapper = PortMapper(port: 5_223, surroundings)
        await mapper.start()
        var states = mapper.states.makeAsyncIterator()
        while let state = await states.next(), state == .asking {}
        // No router: that of the network before does not count any more.
        router.withLock { $0 = nil }
        await mapper.networkChanged()
        #expect(await states.next() == .unanswered)
        router.withLock { $0 = Self.loopback }
        await mapper.networkChanged()
        #expect(await states.next() == .asking)
        #expect(await states.next() == .open(MappedPort(address: "198.51.100.7", port: 5_223, way: .pcp)))
        await mapper.stop()
        await first.stop()
        await second.stop()
    }

    @Test func `a router that does not answer any more is waited for three seconds at most`() async throws {
        let server = try await RouterServer.start()
        let mapper = PortMapper(port: 5_223, surroundings(server.port))
        await mapper.start()
        _ = await outcome(mapper.states)
        server.mute(true)
        let begin = Instant.now
        await mapper.stop()
        #expect(Instant.now - begin < .seconds(5))
        await server.stop()
    }

    @Test func `the router is that of the route that leads everywhere, with the least metric`() {
        let table = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            eth0\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
            wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            tun0\t00000000\t00000000\t0001\t0\t0\t50\t00000000\t0\t0\t0
            vpn0\t00000000\t0100000A\t0003\t0\t0\t10\t00000080\t0\t0\t0
            """
        #expect(RoutingTable.router(in: table)?.description == "192.168.0.1")
        #expect(RoutingTable.router(in: "") == nil)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5_000 {
            var bytes = Array(table.utf8)
            for _ in 0..<8 { bytes[.random(in: 0..<bytes.count, using: &generator)] = generator.bytes(1)[0] }
            _ = RoutingTable.router(in: String(decoding: bytes, as: UTF8.self))
        }
    }
}
