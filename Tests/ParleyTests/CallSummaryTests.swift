import Foundation
import MediaRules
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct CallSummaryTests {
    private func object(_ summary: CallSummary) throws -> [String: Any] {
        let data = try JSONEncoder().encode(summary)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private var state: CallState {
        var state = CallState(media: .video, phase: .ended(.hungUp))
        state.setup.ringing = 1
        state.setup.accepted = 2
        state.setup.offer = 3
        state.setup.answer = 4
        state.setup.iceConnected = 5
        state.setup.dtlsConnected = 6
        state.setup.firstFrame = 7
        return state
    }

    @Test func `has the keys that programs read in JSON`() throws {
        let summary = CallSummary(
            state: state, wasActive: true, statistics: nil, relay: RelayUse(address: "smp://x", smpVersion: 14))
        let fields = try object(summary)
        #expect(Set(fields.keys) == ["result", "smpVersion", "relay", "setup", "sent", "received"])
        let setup = try #require(fields["setup"] as? [String: Int])
        #expect(
            setup == [
                "ringing": 1, "accepted": 2, "offer": 3, "answer": 4, "iceConnected": 5, "dtlsConnected": 6,
                "firstFrame": 7,
            ])
        for direction in ["sent", "received"] {
            let counts = try #require(fields[direction] as? [String: Any])
            #expect(
                Set(counts.keys) == [
                    "videoFrames", "audioFrames", "screenFrames", "screenSoundFrames", "framesRejected",
                    "frameEncryption", "fingerprintVerified",
                ])
            #expect(counts["frameEncryption"] as? String == "none")
        }
    }

    @Test func `has bytes and path where media were open, and is read also where an older program wrote it`() throws {
        var statistics = MediaStatistics()
        statistics.sent.bytes = 1_000
        statistics.received.bytes = 2_000
        statistics.path = MediaPath(local: .relayed, remote: .peerReflexive, transport: .tcp)
        let summary = CallSummary(state: state, wasActive: true, statistics: statistics, relay: nil)
        let fields = try object(summary)
        #expect((fields["sent"] as? [String: Any])?["bytes"] as? Int == 1_000)
        #expect((fields["received"] as? [String: Any])?["bytes"] as? Int == 2_000)
        #expect(
            fields["path"] as? [String: String] == [
                "local": "relayed", "remote": "peerReflexive", "transport": "tcp",
            ])
        #expect(try JSONDecoder().decode(CallSummary.self, from: JSONEncoder().encode(summary)) == summary)
        let older = CallSummary(state: state, wasActive: true, statistics: nil, relay: nil)
        let text = String(decoding: try JSONEncoder().encode(older), as: UTF8.self)
        #expect(!text.contains("bytes") && !text.contains("path"))
        #expect(try JSONDecoder().decode(CallSummary.self, from: Data(text.utf8)) == older)
    }

    @Test func `calls a call completed only if it was on`() {
        #expect(CallSummary(state: state, wasActive: true, statistics: nil, relay: nil).result == "completed")
        #expect(CallSummary(state: state, wasActive: false, statistics: nil, relay: nil).result == "notConnected")
    }

    @Test func `names the reason of a call that was lost`() {
        var lost = state
        lost.phase = .ended(.connectionLost)
        #expect(CallSummary(state: lost, wasActive: true, statistics: nil, relay: nil).result == "connectionLost")
    }

    @Test func `lists steps in the order of a call`() {
        #expect(state.setup.steps.map(\.milliseconds) == [1, 2, 3, 4, 5, 6, 7])
    }
}
