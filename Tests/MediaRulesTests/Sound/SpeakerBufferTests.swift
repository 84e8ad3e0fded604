import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SpeakerBufferTests {
    private var buffer = SpeakerBuffer(now: at(0))

    /// Pieces come so many milliseconds ahead at these moments, in milliseconds. Gives the sizes that follow from it.
    private mutating func take(_ ahead: Int, at times: some Sequence<Int>) -> [Int] {
        times.compactMap { buffer.arrived(ahead: ahead, now: TestSupport.at($0)) }
    }

    @Test mutating func `sound that comes in time leaves it small`() {
        #expect(take(SpeakerBuffer.part, at: stride(from: 0, to: 600_000, by: 10)) == [])
        #expect(buffer.size == 30)
    }

    @Test mutating func `sound that comes late three times in ten seconds makes it larger`() {
        #expect(take(9, at: [3_000, 7_000]) == [])
        #expect(take(-40, at: [12_999]) == [60])
        #expect(buffer.size == 60)
    }

    @Test mutating func `now and then late is left as it is`() {
        #expect(take(0, at: stride(from: 3_000, to: 600_000, by: 5_000)) == [])
    }

    @Test mutating func `what comes late at one time counts once`() {
        #expect(take(0, at: stride(from: 3_000, to: 3_990, by: 10)) == [])
        #expect(take(0, at: [4_000]) == [60])
    }

    @Test mutating func `what comes late just after a change says nothing`() {
        #expect(take(0, at: stride(from: 0, to: 2_000, by: 10)) == [])
        buffer.settle(now: at(10_000))
        #expect(take(0, at: stride(from: 10_000, to: 12_000, by: 10)) == [])
        #expect(buffer.size == 30)
    }

    @Test mutating func `where sound waits otherwise again and again it grows all the same`() {
        #expect(take(0, at: [3_000]) == [])
        buffer.settle(now: at(3_500))
        #expect(take(0, at: [6_000]) == [])
        buffer.settle(now: at(6_500))
        #expect(take(0, at: [9_000]) == [60])
    }

    @Test mutating func `it grows to the last size and stays there`() {
        #expect(take(0, at: stride(from: 0, to: 60_000, by: 10)) == [60])
        #expect(buffer.size == SpeakerBuffer.sizes.last)
    }
}
