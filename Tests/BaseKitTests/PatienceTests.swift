import BaseKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct PatienceTests {
    @Test func `work that hangs is not waited for`() async {
        let (news, end) = AsyncStream<Void>.makeStream()
        let work = Task { for await _ in news {} }
        await wait(forEndOf: work, within: .milliseconds(20))
        #expect(!work.isCancelled)
        end.finish()
        await work.value
    }

    @Test func `what ends is waited for, and no longer`() async {
        let (news, end) = AsyncStream<Void>.makeStream()
        let work = Task { for await _ in news {} }
        end.finish()
        // As long as the suite's limit and longer.
        await wait(forEndOf: work, within: .seconds(3_600))
    }
}
