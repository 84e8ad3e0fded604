import Testing

@testable import SMPTransport

/// What a relay keeps for a client before it can send it.
@Suite(.timeLimit(.minutes(5))) struct OutputReserveTests {
    @Test func `it counts until it is released or gone`() {
        let ledger = ConnectionLedger(outputLimits: OutputLimits())
        let gauge = OutputGauge(ledger: ledger)
        let first = OutputReserve(1_000, of: gauge)
        var second: OutputReserve? = OutputReserve(500, of: gauge)
        #expect(ledger.output == 1_500)
        #expect(second != nil)
        second = nil
        #expect(ledger.output == 1_000)
        first.release()
        first.release()
        #expect(ledger.output == 0)
        // It is not yet on its way: nobody waits for the client to read it.
        #expect(gauge.pending == 0)
    }

    @Test func `a client may have no more with it than without`() {
        var limits = OutputLimits()
        limits.perSession = 1_000
        let gauge = OutputGauge(ledger: ConnectionLedger(outputLimits: limits))
        gauge.add(600)
        #expect(!gauge.isOverLimit)
        let reserve = OutputReserve(500, of: gauge)
        #expect(gauge.isOverLimit)
        reserve.release()
        #expect(!gauge.isOverLimit)
    }

    @Test func `a listener by itself limits nothing`() {
        let ledger = ConnectionLedger()
        let gauge = OutputGauge(ledger: ledger)
        gauge.add(1 << 30)
        #expect(!gauge.isOverLimit)
        #expect(!OutputGauge(ledger: ledger).isOverLimit)
    }
}
