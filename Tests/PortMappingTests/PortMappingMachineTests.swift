import BaseKit
import TestSupport
import Testing

@testable import PortMapping

/// What becomes of a port, with a pretended router.
@Suite(.timeLimit(.minutes(5))) struct PortMappingMachineTests {
    private static let opened = MappedPort(address: "198.51.100.7", port: 5_223, way: .pcp)

    @Test func `a router that speaks PCP forwards the port`() {
        var story = Story()
        story.start()
        #expect(story.states == [.asking, .open(Self.opened)])
        #expect(story.router.mappings == [5_223: 5_223])
        #expect(story.upnpRequests.isEmpty)
    }

    @Test func `a router that speaks only NAT-PMP is asked so at once`() {
        var story = Story(PretendedRouter(speaksPCP: false))
        story.start()
        #expect(story.state == .open(MappedPort(address: "198.51.100.7", port: 5_223, way: .natPMP)))
        // One of PCP, the address, the port.
        #expect(story.sent.count == 3)
    }

    @Test func `a router that answers no datagram is asked by UPnP after the second one`() throws {
        var story = Story(PretendedRouter(speaksPCP: false, speaksNATPMP: false))
        let address = try #require(IPv4Address(parsing: "198.51.100.7"))
        story.upnp = .mapped(address, port: 50_001, lifetime: 3_600)
        story.start()
        #expect(story.state == .asking)
        story.wait(.seconds(10))
        #expect(story.sent.count == 2)
        #expect(story.upnpRequests == [.map(internalPort: 5_223, externalPort: 5_223, lifetime: 7_200)])
        #expect(story.state == .open(MappedPort(address: "198.51.100.7", port: 50_001, way: .upnp)))
    }

    @Test func `where nobody listens UPnP is asked without waiting`() {
        var story = Story(upnp: nil)
        story.isCut = true
        story.start()
        story.nobodyListens()
        #expect(story.upnpRequests.count == 1)
    }

    @Test func `where nobody answers that is said, and asked again after a quarter of an hour`() {
        var story = Story(PretendedRouter(speaksPCP: false, speaksNATPMP: false))
        story.start()
        story.wait(.seconds(15))
        #expect(story.states == [.asking, .unanswered])
        story.router.speaksPCP = true
        story.wait(.seconds(900))
        #expect(story.state == .open(Self.opened))
    }

    @Test func `requests of PCP are repeated after 3 s, then after twice as long, up to 1,024 s, spread by a tenth`() {
        var story = Story()
        story.start()
        story.wait(.seconds(3_500))
        story.isCut = true
        let first = story.sent.count
        story.wait(.seconds(3_500))
        let renewals = story.sent.dropFirst(first).filter { $0.bytes.count == 60 }.map(\.moment)
        #expect(renewals.count >= 9)
        var wait = Duration.seconds(3)
        for (one, next) in zip(renewals, renewals.dropFirst()) {
            #expect((0.899...1.101).contains((next - one) / wait))
            wait = min((next - one) * 2, .seconds(1_024))
        }
    }

    @Test func `requests of NAT-PMP are repeated nine times from a quarter of a second on`() {
        var story = Story(PretendedRouter(speaksPCP: false))
        story.start()
        story.wait(.seconds(3_000))
        story.isCut = true
        let first = story.sent.count
        story.wait(.seconds(800))
        let requests = story.sent.dropFirst(first).map(\.moment)
        // Those that ask whether it is there are four; of the renewal, which comes at 3,600 s, there are nine.
        let renewal = requests.suffix(9)
        for (index, pair) in zip(renewal, renewal.dropFirst()).enumerated() {
            #expect(pair.1 - pair.0 == .milliseconds(250) * (1 << index))
        }
    }

    @Test(arguments: [true, false]) func `a mapping is renewed at half its lifetime`(pcp: Bool) throws {
        var story = Story(PretendedRouter(speaksPCP: pcp))
        story.router.mostLifetime = 1_000
        story.start()
        let began = try #require(story.sent.last).moment
        story.wait(.seconds(499))
        let count = story.sent.count
        story.wait(.seconds(2))
        #expect(story.sent.count > count)
        #expect(story.sent[count].moment - began == .seconds(500))
        story.wait(.seconds(20_000))
        #expect(story.states.count == 2)
    }

    @Test(arguments: [true, false]) func `after a restart of the router the port is mapped anew`(pcp: Bool) {
        var story = Story(PretendedRouter(speaksPCP: pcp))
        story.start()
        story.wait(.seconds(1_000))
        story.router.restart(at: story.now)
        #expect(story.router.mappings.isEmpty)
        story.wait(.seconds(310))
        #expect(story.router.mappings == [5_223: 5_223])
    }

    @Test func `a router that goes on knowing is not asked to map between renewals`() {
        var story = Story()
        story.start()
        story.wait(.seconds(3_500))
        #expect(story.sent.filter { $0.bytes.count == 60 }.count == 1)
        #expect(story.sent.filter { $0.bytes.count == 24 }.count == 11)
    }

    @Test func `an address outside that changes is told`() {
        var story = Story(PretendedRouter(speaksPCP: false))
        story.start()
        story.router.address = "198.51.100.8"
        story.wait(.seconds(310))
        #expect(story.state == .open(MappedPort(address: "198.51.100.8", port: 5_223, way: .natPMP)))
    }

    @Test(arguments: ["192.168.0.2", "100.64.3.4", "10.1.1.1"])
    func `a router that is behind another one is told as that`(address: String) {
        for pcp in [true, false] {
            var story = Story(PretendedRouter(speaksPCP: pcp, address: address))
            story.start()
            #expect(
                story.state
                    == .behindAnotherRouter(MappedPort(address: address, port: 5_223, way: pcp ? .pcp : .natPMP)))
        }
    }

    @Test(
        arguments: [
            (PCPResult.notAuthorized, RouterRefusal.notAuthorized), (.networkFailure, .noExternalAddress),
            (.noResources, .noResources), (.quotaExceeded, .noResources), (.cannotProvideExternal, .portTaken),
            (.addressMismatch, .anotherInBetween), (.malformedRequest, .other(.pcp, 3)),
        ])
    func `why a router refuses is told`(result: PCPResult, reason: RouterRefusal) {
        var story = Story(PretendedRouter(pcpResult: result))
        story.start()
        #expect(story.states == [.asking, .refused(reason)])
        story.wait(.seconds(59))
        let count = story.sent.count
        #expect(count == 1)
        story.wait(.seconds(2))
        #expect(story.sent.count == 2)
    }

    @Test func `a router that lacks resources and names a private address outside is behind another one`() {
        var story = Story(upnp: nil)
        story.isCut = true
        story.start()
        let mapping = PCPMapping(
            nonce: Story.nonce, internalPort: Story.port, externalPort: Story.port,
            externalAddress: IPv4Address(parsing: "100.64.8.1") ?? .unspecified)
        story.receive(PCPResponse(.map, result: 8, lifetime: 30, epoch: 3, mapping: mapping).encoded())
        #expect(story.state == .refused(.noExternalAddress))
    }

    @Test func `a router that refuses for long is left alone so long, an hour at most`() {
        for (lifetime, pause) in [(1_800, 1_800), (4_000_000_000, 3_600)] {
            var story = Story(PretendedRouter(pcpResult: .notAuthorized, errorLifetime: UInt32(lifetime)))
            story.start()
            story.wait(.seconds(pause - 1))
            #expect(story.sent.count == 1)
            story.wait(.seconds(2))
            #expect(story.sent.count == 2)
        }
    }

    @Test(arguments: [PCPResult.unsupportedOperation, .unsupportedProtocol, .unsupportedVersion])
    func `a router whose PCP forwards no ports is asked by UPnP`(result: PCPResult) {
        var story = Story(PretendedRouter(pcpResult: result))
        story.start()
        #expect(story.upnpRequests.count == 1)
    }

    @Test func `a port that is removed is asked for no more, and the router forgets it`() {
        for pcp in [true, false] {
            var story = Story(PretendedRouter(speaksPCP: pcp))
            story.start()
            story.stop()
            #expect(story.router.mappings.isEmpty)
            #expect(story.machine.isEnded && story.machine.nextMoment == nil)
        }
    }

    @Test func `who leaves a silent router waits less than two seconds`() {
        var story = Story()
        story.start()
        story.isCut = true
        story.stop()
        story.wait(.seconds(2))
        #expect(story.machine.isEnded)
        #expect(story.sent.filter { PCPRequest(decoding: $0.bytes).map(Self.isRemoval) == true }.count == 3)
    }

    private static func isRemoval(_ request: PCPRequest) -> Bool {
        if case .map(_, _, 0) = request { true } else { false }
    }

    @Test func `what UPnP brings after leaving is removed again`() throws {
        var story = Story(PretendedRouter(speaksPCP: false, speaksNATPMP: false), upnp: nil)
        story.start()
        story.nobodyListens()
        story.stop()
        #expect(!story.machine.isEnded)
        story.receive(.mapped(try #require(IPv4Address(parsing: "198.51.100.7")), port: 7_000, lifetime: 0))
        #expect(story.upnpRequests.last == .remove(externalPort: 7_000))
        story.receive(.removed)
        #expect(story.machine.isEnded)
    }

    @Test func `a mapping whose router has gone is lost at its end, and asked for again`() {
        var story = Story()
        story.start()
        story.isCut = true
        story.wait(.seconds(7_199))
        #expect(story.state == .open(Self.opened))
        story.wait(.seconds(2))
        #expect(story.state == .lost(nil))
        story.wait(.seconds(600))
        #expect(story.state == .lost(nil))
        story.isCut = false
        story.wait(.seconds(1_000))
        #expect(story.state == .open(Self.opened))
    }

    @Test func `a router that refuses to renew has lost the port`() {
        var story = Story()
        story.start()
        story.router.pcpResult = .notAuthorized
        story.wait(.seconds(3_700))
        #expect(story.states.contains(.lost(.notAuthorized)))
    }
}
