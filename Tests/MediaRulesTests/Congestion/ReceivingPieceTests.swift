import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ReceivingPieceTests {
    @Test func `the jitter buffer waits for a retransmission and shrinks late`() {
        var jitter = JitterLatency(shortest: 150)
        #expect(jitter.update(roundTrip: 2, jitter: 1, loss: 0, now: at(0)) == nil)
        #expect(jitter.update(roundTrip: 200, jitter: 10, loss: 0, now: at(100))?.latency == 320)
        #expect(jitter.update(roundTrip: 205, jitter: 10, loss: 0, now: at(200)) == nil)
        #expect(jitter.update(roundTrip: 20, jitter: 2, loss: 0, now: at(300))?.latency == 320)
        #expect(jitter.update(roundTrip: 20, jitter: 2, loss: 0, now: at(10_299)) == nil)
        #expect(jitter.update(roundTrip: 20, jitter: 2, loss: 0, now: at(10_300))?.latency == 150)
    }

    @Test func `the jitter buffer waits longer the more is lost`() {
        let latencies = [0, 0.01, 0.05, 0.1, 0.2].map { loss in
            var jitter = JitterLatency(shortest: 150)
            return jitter.update(roundTrip: 100, jitter: 5, loss: loss, now: at(0))?.latency ?? 0
        }
        #expect(latencies == latencies.sorted())
        #expect(latencies[0] == 210 && latencies[3] == 330)
    }

    @Test(arguments: [(0.0, 1), (0.001, 1), (0.02, 1), (0.05, 2), (0.1, 3), (0.5, 5), (1, 5)])
    func `a packet is asked for as often as it takes`(loss: Double, questions: Int) {
        #expect(JitterLatency.questions(loss: loss) == questions)
    }

    @Test func `a question is asked again before a slow answer, but not at once`() {
        var jitter = JitterLatency(shortest: 150)
        #expect(jitter.update(roundTrip: 200, jitter: 0, loss: 0, now: at(0))?.retry == 120)
        #expect(jitter.update(roundTrip: 2_000, jitter: 0, loss: 0, now: at(0))?.retry == 300)
        var near = JitterLatency(shortest: 150)
        #expect(near.update(roundTrip: 5, jitter: 100, loss: 0, now: at(0))?.retry == 40)
    }

    @Test func `the jitter buffer's wait is bounded`() {
        var jitter = JitterLatency(shortest: 150)
        #expect(jitter.update(roundTrip: 5_000, jitter: 900, loss: 1, now: at(0))?.latency == JitterLatency.longest)
    }

    @Test func `a jitter buffer that is to be long is not made shorter`() {
        var jitter = JitterLatency(shortest: 1_000)
        #expect(jitter.update(roundTrip: 5_000, jitter: 900, loss: 1, now: at(0))?.latency ?? 1_000 == 1_000)
    }

    @Test func `loss is what was lost lately`() {
        var loss = ReceiveLoss()
        loss.update(received: 0, lost: 0, now: at(0))
        loss.update(received: 90, lost: 10, now: at(1_000))
        #expect(loss.loss == 0.1)
        for second in 2...8 { loss.update(received: 90 + second * 100, lost: 10, now: at(second * 1_000)) }
        #expect(loss.loss == 0)
    }

    @Test func `a few packets say nothing of loss`() {
        var loss = ReceiveLoss()
        loss.update(received: 0, lost: 0, now: at(0))
        loss.update(received: 10, lost: 10, now: at(1_000))
        #expect(loss.loss == 0)
    }

    @Test func `what was lost is forgotten once next to nothing has come for a while`() {
        var loss = ReceiveLoss()
        loss.update(received: 0, lost: 0, now: at(0))
        loss.update(received: 60, lost: 40, now: at(1_000))
        loss.update(received: 62, lost: 40, now: at(4_500))
        #expect(loss.loss > 0.3)
        loss.update(received: 64, lost: 40, now: at(5_000))
        #expect(loss.loss == 0)
    }

    @Test func `counts that begin anew or go back are borne`() {
        var loss = ReceiveLoss()
        loss.update(received: 1_000, lost: 500, now: at(0))
        loss.update(received: 10, lost: 0, now: at(1_000))
        loss.update(received: 110, lost: -5, now: at(2_000))
        #expect(loss.loss == 0)
    }

    @Test(arguments: [(0, nil), (65_536, 1_000), (6_554, 100), (655_360, 10_000), (700_000, nil), (.max, nil)])
    func `a round trip that cannot be is none`(units: UInt32, milliseconds: Int?) {
        #expect(LinkReport.milliseconds(roundTrip: units) == milliseconds)
    }
}
