import Synchronization
import Testing

@testable import GLibKit

@Suite(.timeLimit(.minutes(5))) struct CallbackDataTests {
    private final class Witness: Sendable {
        let onEnd: @Sendable () -> Void

        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    @Test func `what C keeps is read as often as it likes, and lives until C gives it back`() {
        let ended = Mutex(0)
        var witness: Witness? = Witness { ended.withLock { $0 += 1 } }
        let data = CallbackData.keeping(witness)
        witness = nil
        for _ in 0..<3 { #expect(CallbackData.value(Witness?.self, at: data) != nil) }
        #expect(ended.withLock { $0 } == 0)
        CallbackData.release(data)
        #expect(ended.withLock { $0 } == 1)
    }

    @Test func `a closure is called with what it has captured`() {
        typealias Body = @Sendable (Int) -> Int
        let base = 40
        let body: Body = { $0 + base }
        let data = CallbackData.keeping(body)
        #expect(CallbackData.value(Body.self, at: data)(2) == 42)
        CallbackData.release(data)
    }

    @Test func `giving back nothing does nothing`() { CallbackData.release(nil) }
}
