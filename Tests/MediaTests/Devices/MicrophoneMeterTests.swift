import BaseKit
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(5))) struct MicrophoneMeterTests {
    @Test func `a muted microphone is not called silent`() {
        let news = Shared<[Bool]>([])
        let meter = MicrophoneMeter { news.value.append($0) }
        let second = [Int16](repeating: 0, count: 48_000)
        func listen(_ seconds: Int) {
            for _ in 0..<seconds * 20 { second.prefix(2_400).withUnsafeBufferPointer { meter.measure($0) } }
        }
        meter.setMuted(true)
        listen(10)
        #expect(news.value.isEmpty)
        meter.setMuted(false)
        listen(5)
        #expect(news.value == [true])
        meter.setMuted(true)
        #expect(news.value == [true, false])
    }
}
