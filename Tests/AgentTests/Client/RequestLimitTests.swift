import TestSupport
import Testing

@testable import Agent

/// A contact address that more people know than one can answer.
@Suite(.timeLimit(.minutes(5))) struct RequestLimitTests {
    @Test func `requests beyond the limit wait at the relay until one is answered`() async throws {
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        var limits = RequestLimits()
        limits.waitingPerAddress = 2
        await owner.agent.limitRequests(limits)
        let address = try await owner.agent.makeAddress()
        let strangers = try await TestAgent([relay.address])
        for number in 0..<5 as Range<UInt8> { _ = try await strangers.agent.join(link: address.link, info: [number]) }

        func told() async -> [ContactRequest] {
            await owner.events.compactMap { if case .request(let request) = $0 { request } else { nil } }
        }
        try await waitUntil("a request that is held") { await owner.agent.heldRequestCount > 0 }
        #expect(await told().count == 2)
        #expect(try await owner.agent.requests().count == 2)

        // Each answer makes room for one; nothing was lost.
        for answered in 0..<3 {
            let first = try #require(try await owner.agent.requests().first)
            if answered == 0 {
                _ = try await owner.agent.accept(first.id, info: [9])
            } else {
                try await owner.agent.reject(first.id)
            }
            try await waitUntil("the next request") { await told().count == 3 + answered }
            #expect(try await owner.agent.requests().count == 2)
        }
        #expect(Set(await told().map(\.information)) == Set((0..<5).map { [$0] }))
        #expect(await owner.failures == [])
        for agent in [owner, strangers] { await agent.stop() }
        await relay.stop()
    }

    @Test func `the limit holds for all addresses together`() async throws {
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        var limits = RequestLimits()
        limits.waiting = 3
        await owner.agent.limitRequests(limits)
        let strangers = try await TestAgent([relay.address])
        for number in 0..<2 as Range<UInt8> {
            let address = try await owner.agent.makeAddress()
            for other in 0..<2 as Range<UInt8> {
                _ = try await strangers.agent.join(link: address.link, info: [number, other])
            }
        }
        try await waitUntil("a request that is held") { await owner.agent.heldRequestCount > 0 }
        #expect(try await owner.agent.requests().count == 3)
        let first = try #require(try await owner.agent.requests().first)
        try await owner.agent.reject(first.id)
        try await owner.wait("the last request") { events in
            events.filter { if case .request = $0 { true } else { false } }.count == 4 ? true : nil
        }
        for agent in [owner, strangers] { await agent.stop() }
        await relay.stop()
    }
}

extension Agent {
    func limitRequests(_ limits: RequestLimits) { configuration.requestLimits = limits }
}
