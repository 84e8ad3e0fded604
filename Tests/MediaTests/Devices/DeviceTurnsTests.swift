import BaseKit
import Synchronization
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(5))) struct DeviceTurnsTests {
    @Test func `whoever opens a device waits until the one before has closed it`() async {
        let turns = DeviceTurns()
        let first = turns.begin(with: "camera")
        let isFree = Shared(false)
        async let wasFree = MediaQueue.run(giving: {
            let second = turns.begin(with: "camera", waiting: .seconds(60))
            defer { second.end() }
            return isFree.value
        })
        await MediaQueue.run {
            isFree.value = true
            first.end()
        }
        #expect(await wasFree)
    }

    @Test func `another device is not waited for, nor one that is kept`() {
        let turns = DeviceTurns()
        let kept = turns.begin(with: "camera")
        turns.begin(with: "another camera", waiting: .seconds(60)).end()
        let second = turns.begin(with: "camera", waiting: .milliseconds(1))
        // A third waits for the second, not for the first.
        second.end()
        turns.begin(with: "camera", waiting: .seconds(60)).end()
        kept.end()
    }
}
