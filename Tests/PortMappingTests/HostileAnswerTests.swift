import BaseKit
import TestSupport
import Testing

@testable import PortMapping

/// Answers that nobody should trust.
@Suite(.timeLimit(.minutes(5))) struct HostileAnswerTests {
    private static func asking() -> Story {
        var story = Story(upnp: nil)
        story.isCut = true
        story.start()
        return story
    }

    private static func mapping(
        nonce: [UInt8] = Story.nonce, port: UInt16 = Story.port, external: UInt16 = 9_999,
        address: String = "198.51.100.7"
    ) -> PCPMapping {
        PCPMapping(
            nonce: nonce, internalPort: port, externalPort: external,
            externalAddress: IPv4Address(parsing: address) ?? .unspecified)
    }

    @Test func `an answer to another mapping is not taken, be it a refusal`() {
        var story = Self.asking()
        for result: UInt8 in [0, 2] {
            for mapping in [Self.mapping(nonce: [UInt8](repeating: 9, count: 12)), Self.mapping(port: 1)] {
                story.receive(PCPResponse(.map, result: result, lifetime: 60, epoch: 1, mapping: mapping).encoded())
            }
            story.receive(PCPResponse(.announce, result: result, lifetime: 60, epoch: 1).encoded())
        }
        #expect(story.states == [.asking])
    }

    @Test func `a mapping to port 0, to no address or for no time is none`() {
        var story = Self.asking()
        for mapping in [Self.mapping(external: 0), Self.mapping(address: "0.0.0.0")] {
            story.receive(PCPResponse(.map, result: 0, lifetime: 60, epoch: 1, mapping: mapping).encoded())
        }
        story.receive(PCPResponse(.map, result: 0, lifetime: 0, epoch: 1, mapping: Self.mapping()).encoded())
        #expect(story.states == [.asking])
    }

    @Test func `a lifetime of a second or of a century is bounded`() throws {
        for (lifetime, least, most) in [(UInt32(1), 1, 4), (.max, 300, 300)] {
            var story = Self.asking()
            story.receive(PCPResponse(.map, result: 0, lifetime: lifetime, epoch: 1, mapping: Self.mapping()).encoded())
            let next = try #require(story.machine.nextMoment) - story.now
            #expect(next >= .seconds(least) && next <= .seconds(most))
        }
    }

    @Test func `answers nobody asked for change nothing`() {
        var story = Story()
        story.start()
        let states = story.states
        story.receive(
            PCPResponse(
                .map, result: 0, lifetime: 60, epoch: 1, mapping: Self.mapping(address: "192.0.2.66")
            ).encoded())
        story.receive(.mapped(.unspecified, port: 1, lifetime: 1))
        story.nobodyListens()
        #expect(story.states == states)
    }

    @Test func `a router that restarts with every answer is asked for a mapping every five minutes and no more often`()
    {
        var story = Story()
        story.start()
        for _ in 0..<100 {
            story.router.restart(at: story.now)
            story.wait(.seconds(300))
        }
        // Two questions a time: whether it knows, and to map.
        #expect(story.sent.count <= 202)
    }

    @Test func `a router without an address outside has none`() {
        var story = Story(PretendedRouter(speaksPCP: false, address: "0.0.0.0"))
        story.start()
        #expect(story.state == .refused(.noExternalAddress))
    }

    @Test
    func `a thousand stories of random answers end, none asks without pause, and none opens what was not granted`()
        throws
    {
        for seed in 0..<1_000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var story = Story(seed: UInt64(seed))
            story.isCut = true
            story.upnp = .absent
            story.start()
            for _ in 0..<60 {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: story.wait(.seconds(Int.random(in: 1...900, using: &generator)))
                case 1: story.nobodyListens()
                case 2: story.receive(generator.bytes(.random(in: 0...80, using: &generator)))
                case 3: story.receive(NATPMPResponse(result: 1, operation: 1, epoch: 0).encoded())
                case 4:
                    story.receive(
                        NATPMPResponse(
                            result: .random(in: 0...6, using: &generator), operation: 0, epoch: 5,
                            content: .address(try #require(IPv4Address(generator.bytes(4))))
                        ).encoded())
                case 5:
                    story.receive(
                        NATPMPResponse(
                            result: 0, operation: 2, epoch: .random(in: 0...(.max), using: &generator),
                            content: .mapping(
                                internalPort: Story.port, externalPort: .random(in: 0...(.max), using: &generator),
                                lifetime: .random(in: 0...(.max), using: &generator))
                        ).encoded())
                case 6:
                    story.receive(
                        PCPResponse(
                            .map, result: .random(in: 0...14, using: &generator),
                            lifetime: .random(in: 0...(.max), using: &generator),
                            epoch: .random(in: 0...(.max), using: &generator), mapping: Self.mapping()
                        ).encoded())
                default:
                    story.receive(
                        PCPResponse(
                            .announce, result: 0, lifetime: 0, epoch: .random(in: 0...(.max), using: &generator)
                        ).encoded())
                }
                if let mapped = story.state?.mapped { #expect(mapped.port != 0 && mapped.address != "0.0.0.0") }
            }
            let hours = (story.now - at(1_000_000)) / .seconds(3_600)
            #expect(Double(story.sent.count) < 200 + hours * 200)
            story.stop()
            story.wait(.seconds(60))
            #expect(story.machine.isEnded)
        }
    }
}
