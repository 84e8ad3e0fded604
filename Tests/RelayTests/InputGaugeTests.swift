import Testing

@testable import Relay

/// Blocks that wait for their turn.
@Suite(.timeLimit(.minutes(5))) struct InputGaugeTests {
    @Test func `many sessions have one block each once there are too many`() {
        let gauge = InputGauge(limit: 3)
        #expect((0..<4).map { _ in gauge.add() } == [8, 8, 8, 1])
        #expect(gauge.room == 1)
        gauge.remove(1)
        #expect(gauge.room == InputGauge.usual)
        gauge.remove(3)
        #expect(gauge.count == 0)
    }
}
