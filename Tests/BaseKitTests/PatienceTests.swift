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

    @Test func `work that takes too long is cancelled, and what ends in time is not`() async {
        let (news, tell) = AsyncStream<Bool>.makeStream()
        var told = news.makeAsyncIterator()
        await wait(within: .milliseconds(20)) {
            try? await Task.sleep(for: .seconds(3_600))
            tell.yield(Task.isCancelled)
        }
        #expect(await told.next() == true)
        await wait(within: .seconds(3_600)) { tell.yield(Task.isCancelled) }
        #expect(await told.next() == false)
    }
}
