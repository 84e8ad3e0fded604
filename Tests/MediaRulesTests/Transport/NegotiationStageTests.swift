import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct NegotiationStageTests {
    @Test func `an offer is made once and answered once`() throws {
        var stage = NegotiationStage()
        try stage.beginOffer()
        #expect(throws: MediaError.self) { try stage.beginOffer() }
        #expect(throws: MediaError.self) { try stage.beginApplying() }
        stage.offered()
        #expect(throws: MediaError.self) { try stage.beginAnswer() }
        try stage.beginApplying()
        #expect(throws: MediaError.self) { try stage.beginApplying() }
        stage.agreed()
        #expect(throws: MediaError.self) { try stage.beginApplying() }
        #expect(throws: MediaError.self) { try stage.beginOffer() }
    }

    @Test func `an offer is answered once`() throws {
        var stage = NegotiationStage()
        try stage.beginAnswer()
        #expect(throws: MediaError.self) { try stage.beginAnswer() }
        stage.agreed()
        #expect(throws: MediaError.self) { try stage.beginAnswer() }
        #expect(throws: MediaError.self) { try stage.beginApplying() }
    }

    @Test func `nothing follows a failure`() throws {
        var stage = NegotiationStage()
        try stage.beginOffer()
        stage.failed()
        stage.offered()
        stage.agreed()
        #expect(throws: MediaError.self) { try stage.beginApplying() }
        #expect(throws: MediaError.self) { try stage.beginOffer() }
        #expect(throws: MediaError.self) { try stage.beginAnswer() }
    }

    @Test func `a channel that does not come in time ends the session, and says what was missing`() {
        let limit = at(5) + NegotiationStage.patience
        #expect(NegotiationStage.overdue(since: at(5), now: limit, isICEConnected: false) == nil)
        #expect(
            NegotiationStage.overdue(since: at(5), now: limit + .milliseconds(1), isICEConnected: false) == .unreachable
        )
        #expect(
            NegotiationStage.overdue(since: at(5), now: limit + .milliseconds(1), isICEConnected: true)
                == .negotiation(.noChannel))
    }
}
