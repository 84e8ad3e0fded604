import FakePortal
import TestSupport
import Testing

@testable import Portal

@Suite(.timeLimit(.minutes(5))) struct BusServingTests {
    private let home: PrivateBus
    private let service: Bus
    private let client: Bus

    init() async throws {
        home = try await PrivateBus()
        service = try await Bus.connect(address: home.address)
        client = try await Bus.connect(address: home.address)
    }

    /// Who answers a call to a path; nil when nobody serves it.
    private func server(of path: String, _ interface: String = "a.B") async throws -> String? {
        let method = BusMethod(destination: service.uniqueName, path: path, interface: interface, name: "Who")
        do {
            return try await client.call(method).values.first?.string
        } catch .unsupported {
            return nil
        }
    }

    @Test func `each server has the calls to its path and below`() async throws {
        service.serve(under: "/a") { $0.answer([.string("all")]) }
        service.serve(under: "/a/calls") { $0.answer([.string("calls")]) }
        #expect(try await server(of: "/a") == "all")
        #expect(try await server(of: "/a/b/c") == "all")
        #expect(try await server(of: "/a/calls") == "calls")
        #expect(try await server(of: "/a/calls/1/x") == "calls")
        // Longer, not below.
        #expect(try await server(of: "/a/callsign") == "all")
        #expect(try await server(of: "/") == nil)
        #expect(try await server(of: "/ab") == nil)
    }

    @Test func `a server of everything has what no other takes`() async throws {
        service.serve { $0.answer([.string("rest")]) }
        service.serve(under: "/a") { $0.answer([.string("first")]) }
        service.serve(under: "/a") { $0.answer([.string("second")]) }
        #expect(try await server(of: "/") == "rest")
        #expect(try await server(of: "/ab") == "rest")
        #expect(try await server(of: "/a") == "second")
        service.stopServing(under: "/a")
        #expect(try await server(of: "/a") == "rest")
        service.stopServing(under: "/")
        #expect(try await server(of: "/a") == nil)
    }

    @Test func `a server may hold the connection that it serves`() async throws {
        var home: PrivateBus? = try await PrivateBus()
        var bus: Bus? = try await Bus.connect(address: home?.address ?? "")
        weak let gone = bus
        bus?.serve { [bus] call in call.answer([.string(bus?.uniqueName ?? "")]) }
        bus = nil
        #expect(gone != nil)
        // The bus ends, and with it whatever served there.
        home = nil
        #expect(home == nil)
        try await waitUntil("its end") { gone == nil }
    }

    @Test func `a ping is answered for every server`() async throws {
        service.serve { $0.refuse("a.B.Error", "Not this") }
        let method = BusMethod(
            destination: service.uniqueName, path: "/a", interface: "org.freedesktop.DBus.Peer", name: "Ping")
        #expect(try await client.call(method).values.isEmpty)
    }

    @Test func `the types of arguments are told`() async throws {
        service.serve { $0.answer([.string($0.signature), .uint32(UInt32($0.arguments.count))]) }
        let method = BusMethod(destination: service.uniqueName, path: "/", interface: "a.B", name: "C")
        let known = try await client.call(method, [.string("x"), .bool(true)])
        #expect(known.values == [.string("sb"), .uint32(2)])
        #expect(try await client.call(method).values == [.string(""), .uint32(0)])
    }
}
