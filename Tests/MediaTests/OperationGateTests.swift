import Synchronization
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(5))) struct OperationGateTests {
    @Test func `no operation begins after closing`() {
        let gate = OperationGate()
        #expect(gate.enter())
        gate.close()
        #expect(!gate.enter())
        gate.leave()
    }

    @Test func `waiting ends when the last operation has`() async {
        let gate = OperationGate()
        #expect(gate.enter() && gate.enter())
        gate.close()
        let left = Atomic(0)
        async let waited = MediaQueue.run(giving: {
            gate.wait()
            return left.load(ordering: .sequentiallyConsistent)
        })
        for _ in 0..<2 {
            left.add(1, ordering: .sequentiallyConsistent)
            gate.leave()
        }
        #expect(await waited == 2)
    }
}
