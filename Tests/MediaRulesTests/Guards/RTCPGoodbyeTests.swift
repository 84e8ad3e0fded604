import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct RTCPGoodbyeTests {
    private func compound(_ packet: [UInt8]) -> RTCPCompound? { packet.withUnsafeBytes { RTCPCompound($0) } }

    @Test func `a goodbye is a whole compound, as the standard lays it out`() {
        let packet = RTCPGoodbye(of: [0x0102_0304, 5], reason: "over").compound(canonicalName: "me")
        let report: [UInt8] = [0x80, 201, 0, 1, 1, 2, 3, 4]
        let description: [UInt8] = [0x81, 202, 0, 3, 1, 2, 3, 4, 1, 2, 0x6D, 0x65, 0, 0, 0, 0]
        let goodbye: [UInt8] = [0x82, 203, 0, 4, 1, 2, 3, 4, 0, 0, 0, 5, 4, 0x6F, 0x76, 0x65, 0x72, 0, 0, 0]
        #expect(packet == report + description + goodbye)
    }

    @Test func `what is written is read again, whatever the sources and texts`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let sources = (0..<Int.random(in: 1...31, using: &random)).map { _ in
                UInt32.random(in: .min ... .max, using: &random)
            }
            let text = { String(repeating: "x", count: Int.random(in: 0...255, using: &random)) }
            let goodbye = RTCPGoodbye(of: sources, reason: Bool.random(using: &random) ? text() : nil)
            #expect(compound(goodbye.compound(canonicalName: text()))?.goodbyes == [goodbye])
        }
    }

    @Test func `more sources and longer texts than fit are cut`() {
        let long = String(repeating: "y", count: 300)
        let packet = RTCPGoodbye(of: (1...40).map { $0 }, reason: long).compound(canonicalName: long)
        #expect(compound(packet)?.goodbyes.first?.sources == (1...31).map { $0 })
        #expect(compound(packet)?.goodbyes.first?.reason?.count == 255)
    }

    @Test func `a reason that is longer than its packet makes it malformed`() {
        #expect(compound([0x81, 203, 0, 2, 0, 0, 0, 1, 4, 1, 1, 1]) == nil)
        #expect(compound([0x81, 203, 0, 2, 0, 0, 0, 1, 3, 0x61, 0x62, 0x63])?.goodbyes.first?.reason == "abc")
        #expect(compound([0x82, 203, 0, 1, 0, 0, 0, 1]) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct PeerDepartureTests {
    private func goodbye(_ sources: UInt32..., reason: String? = RTCPGoodbye.callEnded) -> RTCPGoodbye {
        RTCPGoodbye(of: sources, reason: reason)
    }

    @Test func `who says goodbye for all it has sent from leaves, once`() {
        var departure = PeerDeparture()
        for source in [1, 2, 1] as [UInt32] { departure.heard(source) }
        let taken = [goodbye(1, 2, 3), goodbye(1, 2, 3)].map { departure.receive($0) }
        #expect(taken == [true, false])
        #expect(departure.hasLeft)
    }

    @Test func `who has sent nothing leaves, too`() {
        var departure = PeerDeparture()
        let leaves = departure.receive(goodbye(7))
        #expect(leaves)
    }

    @Test func `as long as one source stays nobody leaves`() {
        var departure = PeerDeparture()
        for source in [1, 2, 3] as [UInt32] { departure.heard(source) }
        let taken = [goodbye(1), goodbye(2), goodbye(2), goodbye(3)].map { departure.receive($0) }
        #expect(taken == [false, false, false, true])
    }

    @Test func `a browser that turns off all it sends does not leave`() {
        var departure = PeerDeparture()
        for source in [1, 2] as [UInt32] { departure.heard(source) }
        let taken = [goodbye(1, reason: nil), goodbye(2, reason: ""), goodbye(1, 2, reason: "End Of Stream")].map {
            departure.receive($0)
        }
        #expect(taken == [false, false, false])
        // It turns its camera on again, and another source takes the place of the microphone's.
        for source in [1, 9] as [UInt32] { departure.heard(source) }
        let (camera, all) = (departure.receive(goodbye(1)), departure.receive(goodbye(1, 9)))
        #expect(!camera && all)
    }
}
